import { randomBytes } from 'node:crypto';
import type { LiveOptions } from '../../config/live-options.js';
import { LiveEngine } from '../../engine/live/live-engine.js';
import type { Terminal } from '../../engine/live/terminal.js';
import { AnswerLines } from './answer-lines.js';
import { LiveEndpoint } from './endpoint.js';
import { openLiveLog } from './log.js';
import { beginLife } from './lives.js';
import { Session } from '../../session/session.js';
import { memoryStore } from '../../stores/memory.js';

export type LiveApp = {
  /** Runs `/a2a`: `on [port]`, `off`, or no argument for the status. Returns the text to show. */
  command(args: string): Promise<string>;
};

/** The composition root inside the Gemini CLI: the engine that watches it, the hub, and the endpoint. */
export async function openLive(terminal: Terminal, options: LiveOptions): Promise<LiveApp> {
  const { config } = terminal;
  if (!config) throw new Error("the Gemini CLI's configuration was not found");
  const log = openLiveLog(options.stateDir, () => config.getDebugMode());
  const onError = (error: unknown): void => log.error('internal error; the CLI is not affected', { cause: error });
  const session = new Session({
    id: config.getSessionId(),
    engine: new LiveEngine(terminal, config, onError),
    engineOrigin: { surface: 'tui' },
    workspace: config.getTargetDir(),
    model: config.getModel(),
    store: memoryStore(),
    startAfter: beginLife(options.stateDir, config.getSessionId()),
    turnEnd: options.turnEnd,
    onError,
  });
  const answers = new AnswerLines((line) => terminal.show('info', line));
  session.subscribe((event) => answers.onEvent(event));
  const token = randomBytes(24).toString('base64url');
  const endpoint = new LiveEndpoint({ session, terminal, log, token, workspace: config.getTargetDir(), ...options });
  if (options.port !== undefined) await endpoint.open(options.port);
  return { command: (args) => endpoint.command(args) };
}
