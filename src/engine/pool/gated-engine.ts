import { noChoices, type Settable } from '../../domain/choices.js';
import type { ToolCall } from '../../domain/tool-call.js';
import type { EngineEvent, EngineHost, InterruptedTurn, TurnRequest } from '../engine.js';
import type { TaskEngine, TaskTools } from '../task-engine.js';
import type { FairGate } from '../../util/fair-gate.js';
import { GatePlace } from '../../util/gate-place.js';
import { OpenQuestions } from './open-questions.js';
import { TurnClock } from './turn-clock.js';

/** An engine that runs whenever it is told to. */
export type UngatedEngine = Omit<TaskEngine, 'tools' | 'wake' | 'isReady' | 'refusal' | 'resume'> & {
  /** Its process is gone, and with it this engine. One that starts its process again never says so. */
  readonly hasEnded?: boolean;
  /** Goes on with what a restart interrupted. */
  resume?(turn: InterruptedTurn): unknown;
  tools?(): Promise<TaskTools>;
};

export type GatedEngineOptions = {
  readonly open: () => UngatedEngine;
  /** Opening it starts no process, so it is opened before there is work: it can tell of its commands. */
  readonly isInProcess?: boolean;
  /** What it will run with, as far as that is known before it is open. */
  readonly model?: string;
  readonly gate: FairGate;
  /** Whose turn it is at the gate. */
  readonly owner: string;
  /** How long a turn may work, without the time it waits for an answer or for its turn. Undefined: no limit. */
  readonly secondsPerTurn?: number | undefined;
  /** Whether this turn, which ran before a restart, can be gone on with. */
  readonly canResume: (turnId: string) => boolean;
};

/** Opens the engine of a task when it has work, and lets only so many of them work at once. */
export class GatedEngine implements TaskEngine {
  readonly #options: GatedEngineOptions;
  readonly #place: GatePlace;
  readonly #questions = new OpenQuestions();
  /** What is done as soon as there is room: a turn to take up, answers. */
  readonly #later: (() => void)[] = [];
  #host: EngineHost | undefined;
  #engine: UngatedEngine | undefined;
  /** `accepted`: the hub holds it for running, the engine does not know of it yet. */
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
    return this.#options.gate.isFull ? 'the server is full: as many turns wait as may; try again later' : undefined;
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

  /** Also of a turn that is not taken up yet: its questions are open, and are answered when it is. */
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
      claimAnswer: (callId, optionId) => this.#host?.claimAnswer(callId, optionId) ?? true,
      stored: async () => this.#host?.stored(),
    });
    return this.#engine;
  }

  #report(event: EngineEvent): void {
    // Ours is the word on being ready: the gate decides.
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

  /** A turn that waits for a person does not hold up those that could run: it goes out and comes back with the answer. */
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
    // Nobody wants it any more.
    if (this.isReady) this.#place.leave();
  }
}
