import { startModelServer } from './model-server.js';
import type { Script } from '../../src/demo/model-server.js';
import { continued } from '../../src/domain/continued-checkpoint.js';
import type { SessionEvent } from '../../src/domain/events.js';
import type { Json } from '../../src/domain/json.js';
import { readPlan } from '../../src/engine/gemini/read-plan.js';
import { Budget, type BudgetLimits } from '../../src/engine/headless/budget.js';
import type { Checkpoint } from '../../src/engine/headless/checkpoint.js';
import { sessionCommands } from '../../src/engine/headless/commands/session-commands.js';
import { loadCore } from '../../src/engine/headless/core/core.js';
import { HeadlessEngine } from '../../src/engine/headless/headless-engine.js';
import { openConfig } from '../../src/engine/headless/core/open-config.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import type { Store } from '../../src/stores/store.js';
import { earlierOf } from './earlier.js';
import { temporaryFolder } from './temporary-folder.js';

export type HeadlessSetup = {
  readonly script: Script;
  readonly limits?: BudgetLimits;
};

/** A world for sessions on the real gemini-cli-core: a scripted model, a home and a workspace of their own. */
export async function headlessWorld({ script, limits = {} }: HeadlessSetup) {
  const model = await startModelServer(script);
  const workspace = temporaryFolder();
  process.env['GEMINI_CLI_HOME'] = temporaryFolder();
  let number = 0;

  /** `life`: what an earlier session left behind. */
  const open = (
    life: {
      checkpoint?: Checkpoint;
      earlier?: readonly SessionEvent[];
      store?: Store;
      mayAutoExecute?: boolean;
    } = {},
  ) => {
    /** What the engine saved, each as a whole, and as it was saved. */
    const checkpoints: Checkpoint[] = [];
    const saves: Checkpoint[] = [];
    const id = `session-${++number}`;
    const engine = new HeadlessEngine({
      async open() {
        const core = await loadCore();
        const config = await openConfig(core, {
          sessionId: id,
          workspace,
          scratch: temporaryFolder(),
          model: 'gemini-2.5-flash',
          approvalMode: 'default',
          isTrusted: true,
          credentials: { apiKey: 'test', baseUrl: model.url },
          clientVersion: 'test',
          fromSettings: { maxAttempts: 1, env: { PATH: process.env['PATH'] ?? '' } },
          policySettings: {},
        });
        return {
          core,
          config,
          extensions: [],
          rules: { mayAllowSession: true, mayAllowForever: false, fileExists: () => true, readPlan },
        };
      },
      commands: () => sessionCommands({ customCommands: [], extensions: [] }),
      budget: new Budget(limits, life.checkpoint?.used),
      mayAutoExecute: life.mayAutoExecute ?? false,
      ...(life.checkpoint ? { checkpoint: life.checkpoint } : {}),
      save: async (checkpoint) => {
        // What is kept must survive as JSON.
        const news = JSON.parse(JSON.stringify(checkpoint)) as Json;
        saves.push(news as unknown as Checkpoint);
        checkpoints.push(continued(checkpoints.at(-1) as unknown as Json, news) as unknown as Checkpoint);
      },
      onError: (error) => {
        throw error;
      },
    });
    const events: SessionEvent[] = [];
    const session = new Session({
      id,
      engine,
      store: life.store ?? memoryStore(),
      isDurable: true,
      ...(life.earlier ? { earlier: earlierOf(life.earlier) } : {}),
    });
    session.subscribe((event) => events.push(event), 0);
    return { session, engine, events, checkpoints, saves };
  };
  return { model, workspace, open };
}
