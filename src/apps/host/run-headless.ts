import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Io } from '../../cli/view/io.js';
import type { GeminiWishes } from '../../cli/argv/gemini-wishes.js';
import { compileWasmOnce } from '../../boot/compile-wasm-once.js';
import { openLiveLog } from '../live/log.js';
import { startDemo } from '../serve/demo.js';
import { headlessEngines } from '../../engine/pool/headless-engines.js';
import { forgetSecrets, hideSecrets } from '../../engine/pool/own-secrets.js';
import { FairGate } from '../../util/fair-gate.js';
import { type HostOptions, serveSession } from './serve-session.js';
import { untilStopped } from './until-stopped.js';

export type RunHeadlessOptions = Omit<HostOptions, 'workspace' | 'stateDir' | 'log' | 'presence' | 'onOpen'> & {
  readonly io: Io;
  readonly env: NodeJS.ProcessEnv;
  readonly demo: boolean;
  readonly wishes: GeminiWishes;
};

const card = {
  name: 'Gemini CLI',
  description: 'A Gemini session without a terminal on this machine, shared live by Cosession.',
};

/** `cosession --a2a-port` without a terminal, as in CI or a container: the same endpoint on the headless engine. */
export async function runHeadless(options: RunHeadlessOptions): Promise<number> {
  const { io, demo, wishes, version } = options;
  const { folder: workspace, stateDir } = io;
  const ours = { ...options.env };
  compileWasmOnce();
  hideSecrets();
  forgetSecrets();
  await untilStopped(async (stopped, onOpen) => {
    const log = openLiveLog(stateDir, () => false);
    const offline = demo ? await startDemo(join(stateDir, 'demo-home')) : undefined;
    if (offline) onOpen(() => offline.close());
    const env = { ...ours, ...offline?.env };
    const engines = headlessEngines({
      workspaces: { roots: [], defaultWorkspace: workspace },
      env,
      trust: demo ? false : 'settings',
      gate: new FairGate({ width: 1, maxWaiting: 100 }),
      budget: {},
      mayAutoExecute: wishes.autoExecute,
      scratch: join(stateDir, 'scratch'),
      version,
      onProblem: (_folder, problem) => log.info('settings', { problem }),
      onError: (error) => log.error('internal error', { cause: error }),
    });
    const id = randomUUID();
    const { model, autoExecute } = wishes;
    const save = (): Promise<void> => Promise.resolve();
    onOpen(() => engines.forget?.(id));
    const engine = engines.open({ id, workspace: engines.workspace(undefined), model, autoExecute, owner: '', save });
    const presence = { joined: () => {}, left: () => {} };
    const { line } = await serveSession(
      { id, engine, card },
      { ...options, workspace, stateDir, log, presence, onOpen },
    );
    const ignored = wishes.ignored.length === 0 ? '' : `; ignored: ${wishes.ignored.join(' ')}`;
    io.stdout.write(`· no terminal here: the headless engine serves the session${ignored}\n`);
    io.stdout.write(`· ${line}\n`);
    return stopped;
  });
  return 0;
}
