import { randomUUID } from 'node:crypto';
import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import {
  type Agent,
  type EventBody,
  type Origin,
  type SessionEvent,
  type TurnEnd,
  type TurnState,
  type WhenDone,
} from '../domain/events.js';
import type { Answer, WaitingCall } from '../domain/tool-call.js';
import { mergedTurn, type Turn } from '../domain/turn.js';
import type { Engine, EngineEvent, TurnRequest } from '../engine/engine.js';
import type { EventStore, TurnPage, TurnQuery } from '../stores/store.js';
import { RecentMap } from '../util/recent-map.js';
import { admit } from './admission.js';
import type { AnsweredCall } from './answered-calls.js';
import type { Words } from './approval-desk.js';
import { cutEvent } from './cut-event.js';
import { EventLog, type Listener, type Observer, type Place, type Unsubscribe } from './event-log.js';
import { Lifetime, putAway } from './lifetime.js';
import { type Accepted, promptOf, PromptQueue, type QueuedTurn } from './prompt-queue.js';
import { pausedTurns, Recall } from './recall.js';
import { SentQuestions } from './sent-questions.js';
import type { SessionOptions } from './session-options.js';
import type { Snapshot } from './snapshot.js';
import { toldTurns } from './told-turns.js';
import { allowing, ToolCalls } from './tool-calls.js';
import { turnEvents } from './turn-events.js';
import { defined } from '../util/defined.js';

type RunningTurn = { readonly id: string; state: TurnState; isOver?: true; canceledBy?: Origin };

/**
 * The hub: one live conversation that the terminal and every client share.
 * Surfaces call `prompt`, `answer`, `cancel` and listen with `subscribe`; the
 * engine reports what happens. Everything is decided in the tick it arrives.
 */
export class Session {
  readonly id: string;
  readonly owner: string | undefined;
  readonly turnEnd: WhenDone;
  readonly settings: Engine['settings'];
  /** The state derived from all its events. */
  readonly recall: Recall;
  readonly #engine: Engine;
  readonly #engineOrigin: Origin;
  readonly #store: EventStore;
  readonly #log: EventLog;
  readonly #calls: ToolCalls;
  readonly #queue: PromptQueue;
  readonly #sentQuestions = new SentQuestions();
  /** Turns that wait only for another message. */
  readonly #paused = new RecentMap<string, true>(pausedTurns);
  readonly #newTurnId: () => string;
  readonly #life = new Lifetime();
  #turn: RunningTurn | undefined;
  #lastState: TurnState = 'submitted';
  readonly #model: string;

  constructor(options: SessionOptions) {
    const now = options.now ?? (() => new Date());
    this.id = options.id;
    this.owner = options.owner;
    this.turnEnd = options.turnEnd ?? 'completed';
    this.#engine = options.engine;
    this.settings = options.engine.settings;
    this.#engineOrigin = options.engineOrigin ?? { surface: 'server' };
    this.#model = options.model || (options.engine.model ?? '');
    this.#store = options.store;
    const { allowedBy = () => undefined } = options;
    this.#calls = new ToolCalls({ publish: (call) => this.#append({ type: 'tool', call }), allowedBy, now });
    this.#queue = new PromptQueue(options.maxQueued ?? 100);
    this.#newTurnId = options.newTurnId ?? randomUUID;
    const { store, earlier, startAfter = 0, isDurable = false, onError = () => {}, onLoss = onError } = options;
    const logOptions = { onError, onLoss, startAfter, isDurable };
    this.#log = new EventLog({ sessionId: this.id, store, now, earlier: earlier?.events ?? [], ...logOptions });
    this.recall = earlier?.recall ?? new Recall(this.turnEnd);
    this.observe((event, whole) => {
      if (event.seq > this.recall.state.seq) this.recall.add(whole);
      this.#sentQuestions.note(event);
    });
    this.#engine.connect({
      report: (event) => this.#onEngineEvent(event),
      claimAnswer: (callId, optionId) => this.#claimAnswer(callId, optionId),
      stored: () => this.stored(),
    });
    if (earlier && this.#log.seq > 0) this.#restore(options.interruption);
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
    const turn = this.#queuedTurn(admit(request, this.#engine));
    const position = this.#queue.add(turn);
    if (!this.#turn) this.#engine.wake?.();
    if (this.#turn || !this.#engine.isReady || position > 1) this.#append(promptOf(turn, position), turn.turnId);
    this.#startNext();
    return { turnId: turn.turnId, position: this.#queue.positionOf(turn.turnId) };
  }

  /**
   * The first answer wins; a later one throws `already-answered` and says who was first. The same answer with the same
   * `answerId` counts as a repeat.
   */
  answer(id: string, answer: Answer, by: Origin): { callId: string; duplicate?: true } {
    this.#life.checkAwake();
    const [call] = this.#calls.answer(id, answer, by);
    if (!call) return { callId: this.answerTo(id)?.id ?? id, duplicate: true };
    const { answerId: _key, words: _words, ...choice } = answer;
    this.#hand([call], choice);
    return { callId: call.id };
  }

  /** The answer to a call, if it is still remembered. */
  answerTo(id: string): AnsweredCall | undefined {
    return this.recall.state.answered.find(id);
  }

  /** The id of the call that this message answered in words, if any. Throws `message-id-used` if its text was different. */
  answeredIn(message: Words): string | undefined {
    return this.#calls.answeredIn(message);
  }

  /** Stops the running turn or removes a queued one. Once `stored` resolves, a crash cannot undo it. */
  cancel(by: Origin, turnId?: string): void {
    this.#life.checkAwake();
    const isResting = turnId !== undefined && (this.#queue.remove(turnId) ?? this.#paused.delete(turnId));
    if (isResting) return this.#append({ type: 'turn', state: 'canceled' }, turnId);
    if (!this.#turn || (turnId !== undefined && turnId !== this.#turn.id)) {
      const why = turnId === undefined ? 'no turn is running' : `turn "${turnId}" is not running`;
      throw new AppError('not-cancelable', why);
    }
    if (!this.#turn.canceledBy) this.#append({ type: 'cancel', by });
    this.#turn.canceledBy ??= by;
    this.#engine.cancel();
  }

  subscribe(listener: Listener, afterSeq?: number): Unsubscribe {
    return this.#log.subscribe(listener, afterSeq);
  }

  /** Where the events after `seq` are; undefined if they are not kept. */
  whereAfter(seq: number): Place | undefined {
    return this.#log.whereAfter(seq);
  }

  /** The sent events in memory, oldest first, preceded by the older events behind the current state. */
  get story(): readonly SessionEvent[] {
    return [...this.#going.map(cutEvent), ...this.#log.after(0)];
  }

  eventsAfter(seq: number, limit?: number): readonly SessionEvent[] {
    return this.#log.after(seq, limit);
  }

  /** The same, plus the events that observers already have and listeners will get. */
  happenedAfter(seq: number): readonly SessionEvent[] {
    return this.#log.happenedAfter(seq);
  }

  get seq(): number {
    return this.#log.seq;
  }

  /** The newest event, sent to clients or not. */
  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** Whether anyone outside follows it. */
  get isWatched(): boolean {
    return this.#log.isWatched;
  }

  get oldestSeq(): number {
    return this.#log.oldest;
  }

  /** Everything a late joiner needs: the state and every open question. */
  get snapshot(): Snapshot {
    const pending = this.#calls.waiting.map((call) => this.#sentQuestions.of(call));
    return { state: this.state, pending, model: this.agent.model, seq: this.#log.seq };
  }

  get agent(): Agent {
    return this.recall.agent ?? { model: this.#model };
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

  /** Stored events, oldest first: the newest ones, or those after `seq`. */
  async history(limit: number, seq = Math.max(0, this.#log.seq - limit)): Promise<readonly SessionEvent[]> {
    return (await this.#store.read(this.id, seq, limit)).map(cutEvent);
  }

  /** The whole event, however large; undefined if no event has this seq or it is not kept. */
  async event(seq: number): Promise<SessionEvent | undefined> {
    if (seq > this.#log.seq) return undefined;
    const [event] = await this.#store.read(this.id, seq - 1, 1);
    return event?.seq === seq ? event : undefined;
  }

  /** Any turn of the session, however old. */
  async turn(turnId: string): Promise<Turn | undefined> {
    return mergedTurn(await this.#store.turn(this.id, turnId), this.recall.newsOf(turnId));
  }

  /** Its turns, with the states that clients see. */
  turns(query: TurnQuery): Promise<TurnPage> {
    return toldTurns(this.#store, { taskId: this.id, ...query }, this.turnEnd);
  }

  /** The stored events of a turn, oldest first, including those no longer in memory. */
  async *storedEventsOf(turnId: string): AsyncGenerator<SessionEvent> {
    const turn = await this.turn(turnId);
    if (turn) yield* turnEvents(this.#store, this.id, turn);
  }

  /**
   * For code that keeps session state: first the older events behind the current state, then the events in memory, then
   * every new event in the tick it happens.
   */
  observe(observer: Observer): Unsubscribe {
    return this.#log.observe(observer, this.#going);
  }

  /** Resolves once a crash can no longer undo anything accepted so far. */
  stored(): Promise<void> {
    return this.#log.flush();
  }

  /** Accepts no more work and starts none; the running turn may finish. */
  drain(): void {
    this.#life.drain();
  }

  /** Aborts once no more events will follow here; its reason is the error that says why. */
  get ended(): AbortSignal {
    return this.#life.ended;
  }

  /** Leaves everything as it is, to be continued later or by another process. */
  async suspend(why = putAway()): Promise<void> {
    this.#life.suspend();
    this.#calls.stopLiveOutput();
    await this.#log.flush().finally(() => this.#life.end(why));
  }

  async close(): Promise<void> {
    this.#calls.stopLiveOutput();
    for (const turn of this.#queue.clear()) this.#append({ type: 'turn', state: 'canceled' }, turn.turnId);
    await this.#log.flush();
  }

  #queuedTurn(request: TurnRequest): QueuedTurn {
    if (request.turnId !== undefined && !this.#paused.delete(request.turnId))
      throw new AppError('bad-request', `turn "${request.turnId}" does not wait for a message`);
    return { turnId: request.turnId ?? this.#newTurnId(), request };
  }

  #startNext(): void {
    if (this.#turn || this.#queue.length === 0 || this.#life.isDraining) return;
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
    this.#hand(this.#calls.allow(), allowing);
  }

  #onEngineEvent(event: EngineEvent): void {
    if (this.#life.isSuspended) return undefined;
    switch (event.type) {
      case 'ready':
        return this.#startNext();
      case 'started':
        return this.#onStarted(event.text, event.origin);
      case 'ended':
        return this.#onEnded(event.state, event.error);
      case 'tool':
        return this.#hand(this.#calls.update(event.call, this.#stopper), allowing);
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

  #onEnded(state: TurnEnd | 'input-required', error?: string): void {
    if (!this.#turn) return;
    Object.assign(this.#turn, { state, isOver: true });
    this.#calls.end(this.#stopper);
    this.#append({ type: 'turn', state, ...defined({ error }) });
    if ((state === 'completed' ? this.turnEnd : state) === 'input-required') this.#paused.set(this.#turn.id, true);
    this.#calls.clear();
    this.#lastState = state;
    this.#turn = undefined;
    this.#startNext();
  }

  /** Passes an answer to the engine only once a crash cannot undo it: no tool is ever approved twice. */
  #hand(calls: readonly WaitingCall[], answer: Answer): void {
    this.#updateState();
    for (const { id } of calls)
      this.#log.whenStored(
        () => this.#engine.answer(id, answer),
        () => this.#engine.cancel(),
      );
  }

  #claimAnswer(callId: string, optionId: string): boolean {
    const isFirst = this.#calls.claim(callId, optionId, this.#engineOrigin);
    this.#updateState();
    return isFirst;
  }

  get #going(): readonly SessionEvent[] {
    return this.recall.going.filter(({ seq }) => seq < this.#log.oldest);
  }

  get #stopper(): Origin {
    return this.#turn?.canceledBy ?? this.#engineOrigin;
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
    this.#log.append(turnId, body);
  }
}
