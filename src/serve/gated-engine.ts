import type { EngineHost, TurnRequest } from '../engine/engine.js';
import { errorText } from '../engine/gemini/error-text.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { TaskTools } from '../session/server-tasks.js';
import type { TaskEngine } from '../session/task-engine.js';
import type { FairGate } from '../util/fair-gate.js';
import { GatePlace } from '../util/gate-place.js';

/** An engine in a process of its own. */
export type ProcessEngine = Omit<TaskEngine, 'tools' | 'wake' | 'isReady' | 'refusal' | 'resume'> & {
  /** Resolves when it waits for its first prompt; rejects with the reason why it does not. */
  readonly opened: Promise<unknown>;
  /** The process is gone, and with it this engine. One that starts its process again never says so. */
  readonly hasEnded?: boolean;
  /** Goes on with what a restart interrupted. */
  resume?(calls: readonly ToolCall[]): void;
  tools?(): Promise<TaskTools>;
};

export type GatedEngineOptions = {
  readonly open: () => ProcessEngine;
  readonly gate: FairGate;
  /** Whose turn it is at the gate. */
  readonly owner: string;
  /** Whether the turn that ran before a restart can be gone on with. */
  readonly canResume: boolean;
};

/** Starts the process of a task when it has work, and lets only so many of them work at once. */
export class GatedEngine implements TaskEngine {
  readonly #options: GatedEngineOptions;
  #host: EngineHost | undefined;
  #engine: ProcessEngine | undefined;
  readonly #place: GatePlace;
  #isRunning = false;

  constructor(options: GatedEngineOptions) {
    this.#options = options;
    this.#place = new GatePlace(options.gate, options.owner);
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  get isReady(): boolean {
    return this.#place.isIn && !this.#isRunning;
  }

  get refusal(): string | undefined {
    return this.#options.gate.isFull ? 'the server is full: as many turns wait as may; try again later' : undefined;
  }

  wake(): void {
    if (this.#place.isOnItsWay || this.#isRunning || this.#place.tryEnter()) return;
    void this.#place.enter().then(() => this.#offer());
  }

  start(request: TurnRequest): void {
    this.#work((engine) => engine.start(request));
  }

  resume(calls: readonly ToolCall[]): boolean {
    if (!this.#options.canResume) return false;
    void this.#place.enter().then(() => this.#work((engine) => engine.resume?.(calls)));
    return true;
  }

  answer: TaskEngine['answer'] = (callId, answer) => this.#opened().answer(callId, answer);

  cancel(): void {
    this.#engine?.cancel();
  }

  commands: TaskEngine['commands'] = () => this.#engine?.commands() ?? [];

  refusalOfCommand: TaskEngine['refusalOfCommand'] = (line) => this.#engine?.refusalOfCommand(line);

  async tools(): Promise<TaskTools> {
    const engine = this.#opened();
    await engine.opened;
    return (await engine.tools?.()) ?? { tools: [], mcpServers: [] };
  }

  async dispose(): Promise<void> {
    this.#place.leave();
    await this.#engine?.dispose();
  }

  #work(begin: (engine: ProcessEngine) => void): void {
    this.#isRunning = true;
    const engine = this.#opened();
    engine.opened.then(() => begin(engine)).catch((error: unknown) => this.#fail(error));
  }

  /** The next prompt tries again: what was missing may have been installed or configured meanwhile. */
  #fail(error: unknown): void {
    this.#engine = undefined;
    this.#report({ type: 'ended', state: 'failed', error: errorText(error) });
  }

  #opened(): ProcessEngine {
    if (this.#engine && this.#engine.hasEnded !== true) return this.#engine;
    this.#engine = this.#options.open();
    const claimAnswer: EngineHost['claimAnswer'] = (callId, optionId) =>
      this.#host?.claimAnswer(callId, optionId) ?? true;
    this.#engine.connect({ report: this.#report, claimAnswer, stored: async () => this.#host?.stored() });
    return this.#engine;
  }

  readonly #report: EngineHost['report'] = (event) => {
    // Ours is the word on being ready: the gate decides.
    if (event.type === 'ready') return;
    if (event.type === 'ended') {
      this.#isRunning = false;
      this.#place.leave();
    }
    this.#host?.report(event);
  };

  #offer(): void {
    this.#host?.report({ type: 'ready' });
    // Nobody wants it any more.
    if (!this.#isRunning) this.#place.leave();
  }
}
