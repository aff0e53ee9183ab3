import { noChoices, type Settable } from '../../domain/choices.js';
import type { ToolCall } from '../../domain/tool-call.js';
import type { EngineEvent, EngineHost, InterruptedTurn, TurnRequest } from '../engine.js';
import type { TaskEngine, TaskTools } from '../task-engine.js';
import type { Gate } from '../../util/fair-gate.js';
import { GatePlace } from '../../util/gate-place.js';
import { OpenQuestions } from './open-questions.js';
import { TurnClock } from './turn-clock.js';

/** An engine that runs a turn whenever it is asked to. */
export type UngatedEngine = Omit<TaskEngine, 'tools' | 'wake' | 'isReady' | 'refusal' | 'resume'> & {
  /** The engine's process has ended, and the engine with it. An engine that restarts its process never sets this. */
  readonly hasEnded?: boolean;
  /** Continues the turn that a restart interrupted. */
  resume?(turn: InterruptedTurn): unknown;
  tools?(): Promise<TaskTools>;
};

export type GatedEngineOptions = {
  readonly open: () => UngatedEngine;
  /** Opening the engine starts no process, so it is opened before there is work and its commands are known early. */
  readonly isInProcess?: boolean;
  /** The model it will run with, if that is known before it is open. */
  readonly model?: string;
  readonly gate: Gate;
  /** The principal in whose name the task waits at the gate. */
  readonly owner: string;
  /** How long a turn may work, not counting the time it waits for an answer or at the gate. Undefined: no limit. */
  readonly secondsPerTurn?: number | undefined;
  /** Whether this turn, which ran before a restart, can be continued. */
  readonly canResume: (turnId: string) => boolean;
};

/** Opens the engine of a task when it has work, and limits how many engines work at once. */
export class GatedEngine implements TaskEngine {
  readonly #options: GatedEngineOptions;
  readonly #place: GatePlace;
  readonly #questions = new OpenQuestions();
  /** What to do once the gate lets the task in: continue a turn, deliver answers. */
  readonly #later: (() => void)[] = [];
  #host: EngineHost | undefined;
  #engine: UngatedEngine | undefined;
  /** `accepted`: the hub regards the turn as running, but the engine does not know about it yet. */
  #turn: 'none' | 'accepted' | 'running' = 'none';
  readonly #clock: TurnClock;
  #isLate = false;
  #isDisposed = false;

  constructor(options: GatedEngineOptions) {
    this.#options = options;
    this.#place = new GatePlace(options.gate, options.owner);
    this.#clock = new TurnClock((options.secondsPerTurn ?? Infinity) * 1000, () => this.#stopLate());
    if (options.isInProcess) this.#opened();
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  get model(): string | undefined {
    return this.#options.model;
  }

  get isReady(): boolean {
    return this.#place.isIn && this.#turn === 'none';
  }

  get refusal(): string | undefined {
    return this.#options.gate.isFull ? 'the server is full: too many turns are waiting; try again later' : undefined;
  }

  wake(): void {
    if (this.#turn === 'none' && !this.#place.tryEnter()) this.#come();
  }

  start(request: TurnRequest, turnId: string): void {
    this.#begin();
    this.#opened().start(request, turnId);
  }

  resume(turn: InterruptedTurn): boolean {
    if (!this.#options.canResume(turn.id)) return false;
    this.#turn = 'accepted';
    this.#whenIn(() => {
      this.#begin();
      this.#opened().resume?.(turn);
    });
    return true;
  }

  /** Also accepts answers for a turn that has not been continued yet: they are delivered when it is. */
  answer: TaskEngine['answer'] = (callId, answer) => {
    this.#questions.answer(callId);
    this.#whenIn(() => this.#engine?.answer(callId, answer));
  };

  cancel(): void {
    if (this.#turn === 'accepted') this.#report({ type: 'ended', state: 'canceled' });
    else this.#engine?.cancel();
  }

  readonly settings: Settable = {
    open: async () => this.#opened().settings?.open(),
    choices: () => this.#engine?.settings?.choices() ?? noChoices,
    setMode: async (id, by) => this.#opened().settings?.setMode(id, by),
    setModel: async (id, by) => this.#opened().settings?.setModel(id, by),
    setOther: async (id, choice, by) => this.#opened().settings?.setOther?.(id, choice, by),
  };

  commands: TaskEngine['commands'] = () => this.#engine?.commands() ?? [];

  refusalOfCommand: TaskEngine['refusalOfCommand'] = (line) => this.#engine?.refusalOfCommand(line);

  async tools(): Promise<TaskTools> {
    return (await this.#opened().tools?.()) ?? { tools: [], mcpServers: [] };
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#clock.pause();
    await this.#engine?.dispose();
    this.#place.leave();
  }

  #opened(): UngatedEngine {
    if (this.#engine && this.#engine.hasEnded !== true) return this.#engine;
    this.#engine = this.#options.open();
    this.#engine.connect({
      report: (event) => this.#report(event),
      tryAnswer: (callId, optionId) => this.#host?.tryAnswer(callId, optionId) ?? true,
      stored: async () => this.#host?.stored(),
    });
    return this.#engine;
  }

  #report(event: EngineEvent): void {
    // The gate decides when the task is ready, not the engine.
    if (event.type === 'ready') return;
    if (event.type === 'tool') this.#onCall(event.call);
    if (event.type !== 'ended') return this.#host?.report(event);
    const error = `the turn worked longer than ${this.#options.secondsPerTurn} s, which is the limit`;
    const end = this.#isLate ? ({ type: 'ended', state: 'failed', error } as const) : event;
    this.#onEnded();
    this.#host?.report(end);
  }

  #begin(): void {
    this.#turn = 'running';
    this.#clock.reset();
    this.#clock.goOn();
  }

  #stopLate(): void {
    this.#isLate = true;
    this.#engine?.cancel();
  }

  #onEnded(): void {
    this.#turn = 'none';
    this.#isLate = false;
    this.#clock.pause();
    this.#later.length = 0;
    this.#questions.clear();
    this.#place.leave();
  }

  /** A turn that waits for a person must not block others: it leaves the gate and enters again with the answer. */
  #onCall(call: ToolCall): void {
    this.#questions.update(call);
    if (!this.#questions.areOpen) return;
    this.#place.leave();
    this.#clock.pause();
  }

  #whenIn(work: () => void): void {
    this.#later.push(work);
    this.#come();
  }

  #come(): void {
    if (!this.#place.isOnItsWay) void this.#place.enter().then(() => this.#onIn());
  }

  #onIn(): void {
    if (this.#isDisposed) return this.#place.leave();
    if (this.#turn === 'running') this.#clock.goOn();
    for (const work of this.#later.splice(0)) work();
    if (this.#turn !== 'none') return;
    this.#host?.report({ type: 'ready' });
    // Nobody needs the place any more.
    if (this.isReady) this.#place.leave();
  }
}
