import { AppError } from '../domain/errors.js';
import { type AcpCheckpoint, type AcpEngine, openAcpEngine } from '../engine/acp/acp-engine.js';
import type { EngineHost, TurnRequest } from '../engine/engine.js';
import { errorText } from '../engine/gemini/error-text.js';
import { toolEnv } from '../engine/headless/settings/tool-env.js';
import { resolveWorkspace, type WorkspaceRules } from '../engine/headless/workspace.js';
import type { ServerLog } from '../server/server-log.js';
import type { EngineRequest, Engines, TaskEngine } from '../session/task-engine.js';
import type { FairGate, Leave } from '../util/fair-gate.js';

export type AcpEnginesOptions = {
  readonly command: string;
  readonly workspaces: WorkspaceRules;
  readonly env: NodeJS.ProcessEnv;
  /** Names of variables that the agent may have although they look like secrets, such as its key. */
  readonly passed: readonly string[];
  readonly gate: FairGate;
  readonly version: string;
  readonly log: ServerLog;
};

/** An ACP agent for every task: a process of its own, started when the task has work. */
export function acpEngines(options: AcpEnginesOptions): Engines {
  const { workspaces, command } = options;
  return {
    workspace: (requested) => resolveWorkspace(requested, workspaces),
    open: (request) => new AgentTask(options, request),
    commands: () => Promise.resolve([]),
    run: (line) =>
      Promise.reject(
        new AppError('unknown-command', `/${line} works on a task: "${command}" has no commands without one`),
      ),
  };
}

class AgentTask implements TaskEngine {
  readonly #options: AcpEnginesOptions;
  readonly #request: EngineRequest;
  #host: EngineHost | undefined;
  #engine: AcpEngine | undefined;
  #leave: Leave | undefined;
  #isWaking = false;
  #isRunning = false;

  constructor(options: AcpEnginesOptions, request: EngineRequest) {
    this.#options = options;
    this.#request = request;
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  get isReady(): boolean {
    return this.#leave !== undefined && !this.#isRunning;
  }

  get refusal(): string | undefined {
    return this.#options.gate.isFull ? 'the server is full: as many turns wait as may; try again later' : undefined;
  }

  wake(): void {
    if (this.#leave || this.#isWaking || this.#isRunning) return;
    this.#leave = this.#options.gate.tryEnter();
    if (this.#leave) return;
    this.#isWaking = true;
    void this.#options.gate.enter(this.#request.owner || this.#request.id).then((leave) => this.#offer(leave));
  }

  start(request: TurnRequest): void {
    this.#isRunning = true;
    const engine = (this.#engine ??= this.#open());
    engine.opened
      .then(() => engine.start(request))
      .catch((error: unknown) => {
        // The next prompt tries again: the agent may have been installed or given its key meanwhile.
        this.#engine = undefined;
        this.#report({ type: 'ended', state: 'failed', error: errorText(error) });
      });
  }

  answer: TaskEngine['answer'] = (callId, answer) => this.#engine?.answer(callId, answer);

  cancel(): void {
    this.#engine?.cancel();
  }

  commands: TaskEngine['commands'] = () => this.#engine?.commands() ?? [];

  refusalOfCommand: TaskEngine['refusalOfCommand'] = (line) =>
    this.#engine
      ? this.#engine.refusalOfCommand(line)
      : 'the agent tells its commands when it has had its first prompt';

  tools: TaskEngine['tools'] = () => Promise.resolve({ tools: [], mcpServers: [] });

  async dispose(): Promise<void> {
    this.#goOut();
    await this.#engine?.dispose();
  }

  #open(): AcpEngine {
    const { command, env, passed, version, log } = this.#options;
    const { workspace, checkpoint, save } = this.#request;
    const engine = openAcpEngine({
      command,
      workspace,
      env: toolEnv({ env, dotEnv: {}, allowed: passed }),
      version,
      log,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `onCheckpoint` below saved
      ...(checkpoint === undefined ? {} : { checkpoint: checkpoint as AcpCheckpoint }),
      onCheckpoint: (next) =>
        void save({ ...next }).catch((error: unknown) => log.error('checkpoint lost', { cause: error })),
    });
    engine.connect({
      report: this.#report,
      claimAnswer: (callId, optionId) => this.#host?.claimAnswer(callId, optionId) ?? true,
    });
    return engine;
  }

  readonly #report: EngineHost['report'] = (event) => {
    // Ours is the word on being ready: the gate decides.
    if (event.type === 'ready') return;
    if (event.type === 'ended') {
      this.#isRunning = false;
      this.#goOut();
    }
    this.#host?.report(event);
  };

  #offer(leave: Leave): void {
    this.#leave = leave;
    this.#isWaking = false;
    this.#host?.report({ type: 'ready' });
    // Nobody wants it any more.
    if (!this.#isRunning) this.#goOut();
  }

  #goOut(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
