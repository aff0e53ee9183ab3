import { join } from 'node:path';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import { version } from '../../config/version.js';
import type { ServerLog } from '../../domain/server-log.js';
import { headlessEngines, type HeadlessEnginesOptions } from '../../engine/pool/headless-engines.js';
import { isolatedEngines } from '../../engine/pool/isolated-engines.js';
import type { Engines } from '../../engine/task-engine.js';
import type { ClientServers } from '../../tasks/client-servers.js';
import { pinnedRootsOf } from './pinned-roots.js';
import type { Gate } from '../../util/fair-gate.js';

export type EnginesContext = {
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  readonly gate: Gate;
  readonly log: ServerLog;
  readonly onError: (error: unknown) => void;
};

/** The engines that the options name: those of another agent, or gemini-cli-core in this process or in children. */
export async function enginesOf(
  options: ServeOptions,
  { env, stateDir, gate, log, onError }: EnginesContext,
): Promise<Engines> {
  const { engine, engineEnv, isolate, turnsPerTask, tokensPerTask, callsPerTurn } = options;
  const gemini: HeadlessEnginesOptions = {
    workspaces: {
      roots: [...options.workspaceRoots, ...pinnedRootsOf(options.pinnedRoots).map(({ folder }) => folder)],
      defaultWorkspace: options.workspace,
    },
    env,
    trust: options.trust === 'settings' ? 'settings' : options.trust === 'all',
    gate,
    budget: { turnsPerTask, tokensPerTask, callsPerTurn },
    secondsPerTurn: options.secondsPerTurn || undefined,
    mayAutoExecute: options.mayAutoExecute,
    scratch: join(stateDir, 'scratch'),
    version,
    onProblem: (workspace, problem) => log.info('settings', { workspace, problem }),
    onError,
  };
  if (engine !== undefined) {
    const { acpEngines } = await import('../../engine/pool/acp-engines.js');
    return acpEngines({ ...gemini, command: engine, passed: engineEnv, log });
  }
  return isolate ? isolatedEngines(gemini) : headlessEngines(gemini);
}

/** Engines that start with the MCP servers that clients brought for their task. */
export function withMcpServers(engines: Engines, servers: ClientServers): Engines {
  return { ...engines, open: (request) => engines.open({ ...request, mcpServers: () => servers.of(request.id) }) };
}
