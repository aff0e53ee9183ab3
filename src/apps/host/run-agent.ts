import type { Io } from '../../cli/view/io.js';
import { openLiveLog } from '../live/log.js';
import { PresenceLines } from '../live/presence-lines.js';
import type { Presence } from '../../server/endpoint/lobby.js';
import { serveAgent, type ServeAgentOptions } from './serve-agent.js';
import { openTerminalView, type TerminalView, viewName } from './terminal-view.js';
import { untilStopped } from './until-stopped.js';

export type RunAgentOptions = Omit<ServeAgentOptions, 'workspace' | 'stateDir' | 'log' | 'presence' | 'onOpen'> & {
  readonly io: Io;
};

/** `cosession --engine`: runs any agent behind the hub and shares it like the Gemini CLI. Without a terminal, it only serves. */
export async function runAgent(options: RunAgentOptions): Promise<number> {
  await untilStopped((stopped, onOpen) => untilLeft(options, stopped, onOpen));
  return 0;
}

async function untilLeft(options: RunAgentOptions, stopped: Promise<void>, onOpen: ServeAgentOptions['onOpen']) {
  const { io, command } = options;
  const { stdin, stdout, folder: workspace, stateDir } = io;
  const log = openLiveLog(stateDir, () => false);
  const say = (text: string): void => void stdout.write(`· ${text}\n`);
  say(`starting ${command} …`);
  let view: TerminalView | undefined;
  const presence = withoutView(new PresenceLines((line) => view?.note(line), log));
  const { line, ...endpoint } = await serveAgent({ ...options, workspace, stateDir, log, presence, onOpen });
  say(line);
  if (!stdin.isTTY || !stdout.isTTY) return stopped;
  view = await openTerminalView({ ...endpoint, io });
  onOpen(() => view?.close());
  return view.closed;
}

/** The terminal itself is not announced as a client. */
function withoutView(lines: Presence): Presence {
  return {
    joined: (client, count) => void (client !== viewName && lines.joined(client, count)),
    left: (client, count) => void (client !== viewName && lines.left(client, count)),
    paired: (label, role) => lines.paired?.(label, role),
  };
}
