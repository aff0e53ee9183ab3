import { randomUUID } from 'node:crypto';
import type { Settable } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import type { EventBody, Origin, TurnEnd, TurnState } from '../domain/events.js';
import type { Answer } from '../domain/tool-call.js';
import type { Engine, EngineEvent, TurnRequest } from '../engine/engine.js';
import { defined } from '../util/defined.js';
import { RecentMap } from '../util/recent-map.js';
import { acceptRequest } from './accept-request.js';
import type { Words } from './calls/approval-desk.js';
import { Lifetime, beingUnloaded } from './lifetime.js';
import { type Accepted, promptOf, PromptQueue, type QueuedTurn } from './prompt-queue.js';
import { pausedTurns } from './recall.js';
import { SentQuestions } from './sent-questions.js';
import { SettingWishes } from './setting-wishes.js';
import type { SessionOptions } from './session-options.js';
import { type AcceptedAnswer, SessionPort } from './session-port.js';
import { type Snapshot, snapshotFacts } from './snapshot.js';
import { type Decision, storedDecision, type StoredHere } from './stored-decision.js';
import { allowing, denying, type GivenAnswer, ToolCalls } from './calls/tool-calls.js';

type RunningTurn = { readonly id: string; state: TurnState; isOver?: true; canceledBy?: Origin };

/**
 * The hub of one session, which all its clients share; in live mode the terminal is one of them.
 * Surfaces send requests and listen with `subscribe`; the engine reports what
 * happens. Everything is decided in the tick it arrives, by `submit`, `answer`
 * and `cancel`.
 */
export class Session extends SessionPort {
  readonly settings: Settable | undefined;
  readonly engineOrigin: Origin;
  readonly startedAt: string;
  readonly #engine: Engine;
  readonly #calls: ToolCalls;
  readonly #queue: PromptQueue;
  readonly #sentQuestions = new SentQuestions();
  readonly #settingWishes = new SettingWishes();
  /** Paused turns: each continues with the next message that names it. */
  readonly #paused = new RecentMap<string, true>(pausedTurns);
  readonly #mayPrompt: (origin: Origin) => void;
  readonly #newTurnId: () => string;
  readonly #held: Pick<StoredHere, 'checkHeld' | 'elsewhere'>;
  readonly #life = new Lifetime();
  #turn: RunningTurn | undefined;
  #lastState: TurnState = 'submitted';

  constructor(options: SessionOptions) {
    super({ ...options, model: options.model || (options.engine.model ?? '') });
    const { engine, now = () => new Date(), allowedBy = () => undefined } = options;
    this.#engine = engine;
    this.settings = engine.settings && this.#settingWishes.watch(engine.settings);
    this.engineOrigin = options.engineOrigin ?? { surface: 'server' };
    this.startedAt = now().toISOString();
    this.#calls = new ToolCalls({
      publish: (call) => this.#append({ type: 'tool', call }),
      settledBy: (call) => this.#settledBy(allowedBy(call)),
      now,
    });
    this.#queue = new PromptQueue(options.maxQueued ?? 100);
    this.#mayPrompt = options.mayPrompt ?? (() => {});
    this.#newTurnId = options.newTurnId ?? randomUUID;
    this.#held = { checkHeld: options.checkHeld ?? (async () => {}), elsewhere: options.elsewhere };
    this.observe((event) => this.#sentQuestions.note(event));
    this.#engine.connect({
      report: (event) => this.#onEngineEvent(event),
      tryAnswer: (callId, optionId) => this.#tryAnswer(callId, optionId),
      stored: () => this.stored(),
    });
    if (options.earlier && this.seq > 0) this.#restore(options.interruption);
  }

  /**
   * Queues a prompt or a slash command and returns immediately; `subscribe` delivers the events. A repeated message returns
   * the turn that it started. Throws `message-id-used` if another message had its id.
   */
  submit(request: TurnRequest): Accepted {
    this.#life.checkAwake();
    const known = this.recall.state.messages.turnOf(request);
    if (known !== undefined) return { turnId: known, position: this.#queue.positionOf(known), duplicate: true };
    this.#life.checkTakesWork();
    if (request.kind === 'prompt') this.#mayPrompt(request.origin);
    const turn = this.#queuedTurn(acceptRequest(request, this.#engine));
    const position = this.#queue.add(turn);
    this.#paused.delete(turn.turnId);
    if (!this.#turn) this.#engine.wake?.();
    const waits = this.#turn !== undefined || this.#life.isHeld || !this.#engine.isReady || position > 1;
    if (waits) this.#append(promptOf(turn, position), turn.turnId);
    this.#startNext();
    return { turnId: turn.turnId, position: this.#queue.positionOf(turn.turnId) };
  }

  /**
   * The first answer wins; a later one throws `already-answered` and says who was first. The same answer with the same
   * `answerId` counts as a repeat.
   */
  answer(id: string, answer: Answer, by: Origin): AcceptedAnswer {
    this.#life.checkAwake();
    const [given] = this.#calls.answer(id, answer, by);
    if (!given) return { callId: this.answerTo(id)?.id ?? id, duplicate: true };
    this.#passToEngine([given]);
    return { callId: given.callId };
  }

  answeredIn(message: Words): string | undefined {
    return this.#calls.answeredIn(message);
  }

  /** Cancels the running turn, or one that is queued or paused. Once `stored` resolves, a crash cannot undo it. */
  cancel(by: Origin, turnId?: string): void {
    this.#life.checkAwake();
    const isResting = turnId !== undefined && (this.#queue.remove(turnId) !== undefined || this.#paused.delete(turnId));
    if (isResting) return this.#append({ type: 'turn', state: 'canceled', by }, turnId);
    if (!this.#turn || (turnId !== undefined && turnId !== this.#turn.id)) {
      const why = turnId === undefined ? 'no turn is running' : `turn "${turnId}" is not running`;
      throw new AppError('not-cancelable', why);
    }
    if (!this.#turn.canceledBy) {
      this.#append({ type: 'cancel', by });
      this.#turn.canceledBy = by;
    }
    this.#engine.cancel();
    this.#passToEngine(this.#calls.settle());
  }

  send(request: TurnRequest): Promise<Accepted> {
    return this.#kept({ here: () => this.submit(request), there: (port) => port.send(request) });
  }

  sendAnswer(id: string, answer: Answer, by: Origin): Promise<AcceptedAnswer> {
    return this.#kept({ here: () => this.answer(id, answer, by), there: (port) => port.sendAnswer(id, answer, by) });
  }

  sendCancel(by: Origin, turnId?: string): Promise<void> {
    return this.#kept({ here: () => this.cancel(by, turnId), there: (port) => port.sendCancel(by, turnId) });
  }

  get snapshot(): Snapshot {
    const pending = this.#calls.waiting.map((call) => this.#sentQuestions.of(call));
    const facts = snapshotFacts(this.recall.state, this.#queue.turns, this.workspace);
    return { state: this.state, pending, model: this.agent.model, seq: this.seq, ...facts };
  }

  get state(): TurnState {
    return this.#turn?.state ?? this.#lastState;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get commands(): readonly Command[] {
    return this.#engine.commands();
  }

  /** Starts no more turns; the running one may finish. Whatever is accepted waits for the next server. */
  hold(): void {
    this.#life.hold();
  }

  /** Accepts no more work and starts none; the running turn may finish. */
  drain(): void {
    this.#life.drain();
  }

  get ended(): AbortSignal {
    return this.#life.ended;
  }

  /** Leaves everything as it is, to be continued later or by another process. Ignores the engine from here on. */
  async suspend(why = beingUnloaded()): Promise<void> {
    this.#life.suspend();
    this.#calls.stopLiveOutput();
    await this.log.flush().finally(() => this.#life.end(why));
  }

  /** For a session that nobody continues: cancels what is queued. */
  async close(): Promise<void> {
    this.#calls.stopLiveOutput();
    for (const turn of this.#queue.clear()) this.#append({ type: 'turn', state: 'canceled' }, turn.turnId);
    await this.log.flush();
  }

  #kept<T>(decision: Decision<T>): Promise<T> {
    return storedDecision(decision, { session: this, ...this.#held });
  }

  #queuedTurn(request: TurnRequest): QueuedTurn {
    if (request.turnId !== undefined && !this.#paused.has(request.turnId))
      throw new AppError('bad-request', `turn "${request.turnId}" is not waiting for a message`);
    return { turnId: request.turnId ?? this.#newTurnId(), request };
  }

  #startNext(): void {
    if (this.#turn || this.#queue.length === 0 || this.#life.isHeld) return;
    this.#engine.wake?.();
    const next = this.#engine.isReady ? this.#queue.next() : undefined;
    if (!next) return;
    this.#turn = { id: next.turnId, state: 'working' };
    this.#append(promptOf(next));
    this.#append({ type: 'turn', state: 'working' });
    this.#engine.start(next.request, next.turnId);
  }

  /** Restores an earlier run: its queue, its questions, and its running turn if the engine can continue it. */
  #restore(interruption: string | undefined): void {
    const { lastState, running, calls, answered, queued, paused } = this.recall.result;
    this.#lastState = lastState;
    for (const turn of queued) this.#queue.add(turn);
    for (const id of paused) this.#paused.set(id, true);
    for (const call of answered) this.#calls.recallAnswer(call);
    if (!running) return this.#startNext();
    this.#turn = { ...running };
    for (const call of calls) this.#calls.recall(call);
    if (running.canceledBy) return this.#onEnded('canceled');
    const isResumed = interruption === undefined && this.#engine.resume?.({ id: running.id, calls }) === true;
    if (!isResumed)
      return this.#onEnded('failed', interruption ?? 'the server stopped while this turn ran; send the message again');
    this.#passToEngine(this.#calls.settle());
  }

  #onEngineEvent(event: EngineEvent): void {
    if (this.#life.isSuspended) return;
    switch (event.type) {
      case 'ready':
        return this.#startNext();
      case 'started':
        return this.#onStarted(event.text, event.origin);
      case 'ended':
        return this.#onEnded(event.state, event.error);
      case 'tool':
        return this.#passToEngine(this.#calls.update(event.call, this.#stopper));
      case 'settings':
        return this.#append(this.#settingWishes.signed(event));
      default:
        return this.#append(event);
    }
  }

  #onStarted(text: string, origin: Origin): void {
    if (this.#turn) this.#onEnded('completed');
    this.#turn = { id: this.#newTurnId(), state: 'working' };
    if (text !== '') this.#append({ type: 'prompt', text, origin });
    this.#append({ type: 'turn', state: 'working' });
  }

  #onEnded(reported: TurnEnd | 'input-required', error?: string): void {
    if (!this.#turn) return;
    // The engine may have finished before it received the cancel. A crash would have canceled the turn: both end the same way.
    const isCanceled = this.#turn.canceledBy !== undefined && reported !== 'failed';
    const state = isCanceled ? 'canceled' : reported;
    Object.assign(this.#turn, { state, isOver: true });
    this.#calls.end(this.#stopper);
    this.#append({ type: 'turn', state, ...defined({ error }) });
    if (this.shown(state) === 'input-required') this.#paused.set(this.#turn.id, true);
    this.#calls.clear();
    this.#lastState = state;
    this.#turn = undefined;
    this.#startNext();
  }

  /** Passes an answer to the engine only once a crash cannot undo it: no tool is ever approved twice. */
  #passToEngine(given: readonly GivenAnswer[]): void {
    this.#updateState();
    for (const { callId, answer } of given) {
      // The engine needs only the choice.
      const { answerId: _answerId, words: _words, ...choice } = answer;
      this.log.whenStored(
        () => this.#engine.answer(callId, choice),
        () => this.#engine.cancel(),
      );
    }
  }

  /** Whoever canceled the turn has denied its open questions and those that the engine still asks. */
  #settledBy(allowedBy: Origin | undefined): { answer: Answer; by: Origin } | undefined {
    const { canceledBy } = this.#turn ?? {};
    if (canceledBy) return { answer: denying, by: canceledBy };
    return allowedBy && { answer: allowing, by: allowedBy };
  }

  #tryAnswer(callId: string, optionId: string): boolean {
    const isFirst = this.#calls.tryAnswer(callId, optionId, this.engineOrigin);
    this.#updateState();
    return isFirst;
  }

  get #stopper(): Origin {
    return this.#turn?.canceledBy ?? this.engineOrigin;
  }

  /** A turn that waits for an answer is `input-required` until the last question is answered. */
  #updateState(): void {
    if (!this.#turn || this.#turn.isOver) return;
    const state = this.#calls.waiting.length > 0 ? 'input-required' : 'working';
    if (state === this.#turn.state) return;
    this.#turn.state = state;
    this.#append({ type: 'turn', state });
  }

  #append(body: EventBody, turnId = this.#turn?.id): void {
    this.log.append(turnId, body);
  }
}
