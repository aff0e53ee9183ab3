import { AppError } from '../../domain/errors.js';
import { type AcpCheckpoint, openAcpEngine } from '../acp/acp-engine.js';
import { secretNames } from '../headless/settings/tool-env.js';
import { resolveWorkspace, type WorkspaceRules } from '../headless/workspace.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { EngineRequest, Engines } from '../task-engine.js';
import type { Gate } from '../../util/fair-gate.js';
import { GatedEngine } from './gated-engine.js';

export type AcpEnginesOptions = {
  readonly command: string;
  readonly workspaces: WorkspaceRules;
  readonly env: NodeJS.ProcessEnv;
  /** Names of variables that the agent gets although they look like secrets, such as its API key. */
  readonly passed: readonly string[];
  readonly gate: Gate;
  /** How long a turn may work. */
  readonly secondsPerTurn?: number | undefined;
  /** Whether clients may choose to run tools without asking. */
  readonly mayAutoExecute: boolean;
  readonly version: string;
  readonly log: ServerLog;
};

/** Runs an ACP agent for every task, in its own process, which starts when the task has work. */
export function acpEngines(options: AcpEnginesOptions): Engines {
  const { workspaces, command, gate, secondsPerTurn } = options;
  return {
    workspace: (requested) => resolveWorkspace(requested, workspaces),
    open: (request) =>
      new GatedEngine({
        open: () => openAgent(options, request),
        gate,
        secondsPerTurn,
        owner: request.owner || request.id,
        // An agent remembers the conversation, but not what it was doing.
        canResume: () => false,
      }),
    commands: () => Promise.resolve([]),
    run: (line) =>
      Promise.reject(
        new AppError('unknown-command', `/${line} works on a task: "${command}" has no commands without one`),
      ),
  };
}

/** The agent gets the environment without anything that looks like a secret, except what the operator names. */
function withoutSecrets(env: NodeJS.ProcessEnv, passed: readonly string[]): NodeJS.ProcessEnv {
  const secret = new Set(secretNames(env, passed));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

function openAgent({ command, env, passed, mayAutoExecute, version, log }: AcpEnginesOptions, request: EngineRequest) {
  const { workspace, checkpoint, save, mcpServers } = request;
  return openAcpEngine({
    command,
    workspace,
    env: withoutSecrets(env, passed),
    mayAutoExecute,
    version,
    log,
    ...(mcpServers && { mcpServers }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `onCheckpoint` below saved
    ...(checkpoint === undefined ? {} : { checkpoint: checkpoint as AcpCheckpoint }),
    onCheckpoint: (next) =>
      void save({ ...next }).catch((error: unknown) => log.error('checkpoint lost', { cause: error })),
  });
}
