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
import { type Answer, cancelOption, type Resolution, type ToolCall, type WaitingCall } from '../domain/tool-call.js';
import type { Engine, EngineEvent, TurnRequest } from '../engine/engine.js';
import type { EventStore } from '../stores/store.js';
import { RecentMap } from '../util/recent-map.js';
import { sanitize } from '../util/sanitize.js';
import { afterAnswer, withoutState } from './after-answer.js';
import { ApprovalDesk } from './approval-desk.js';
import { CallBook } from './call-book.js';
import { EventLog, type Listener, type Unsubscribe } from './event-log.js';
import { LiveOutput } from './live-output.js';
import { PromptQueue, type QueuedTurn } from './prompt-queue.js';

export type SessionOptions = {
  readonly id: string;
  readonly engine: Engine;
  readonly store: EventStore;
  /** Who acts when the engine itself does: the terminal in live mode. */
  readonly engineOrigin?: Origin;
  readonly model?: string;
  readonly turnEnd?: WhenDone;
  readonly maxQueued?: number;
  readonly now?: () => Date;
  readonly onError?: (error: unknown) => void;
};

export type Accepted = {
  readonly turnId: string;
  /** 0: it runs now; 1: it is the next one. */
  readonly position: number;
  /** The same `messageId` was accepted before; nothing was added. */
  readonly duplicate?: true;
};

export type Snapshot = {
  readonly state: TurnState;
  readonly pending: readonly WaitingCall[];
  readonly model: string;
  readonly seq: number;
};

type RunningTurn = { readonly id: string; state: TurnState; isOver?: true; canceledBy?: Origin };

/**
 * The hub: one live conversation that the terminal and every client share.
 * Surfaces call `prompt`, `answer`, `cancel` and listen with `subscribe`; the
 * engine reports what happens. Everything is decided in the tick it arrives in.
 */
export class Session {
  readonly id: string;
  readonly turnEnd: WhenDone;
  readonly #engine: Engine;
  readonly #engineOrigin: Origin;
  readonly #store: EventStore;
  readonly #log: EventLog;
  readonly #desk: ApprovalDesk;
  readonly #calls = new CallBook();
  readonly #liveOutput = new LiveOutput((call) => this.#append({ type: 'tool', call }));
  readonly #queue: PromptQueue;
  readonly #turnOfMessage = new RecentMap<string, string>(1000);
  /** Turns that wait for another message, and nothing else. */
  readonly #paused = new RecentMap<string, true>(1000);
  #turn: RunningTurn | undefined;
  #lastState: TurnState = 'submitted';
  #agent: Agent;

  constructor(options: SessionOptions) {
    const now = options.now ?? (() => new Date());
    this.id = options.id;
    this.turnEnd = options.turnEnd ?? 'completed';
    this.#engine = options.engine;
    this.#engineOrigin = options.engineOrigin ?? { surface: 'server' };
    this.#agent = { model: options.model ?? '' };
    this.#store = options.store;
    this.#desk = new ApprovalDesk(now);
    this.#queue = new PromptQueue(options.maxQueued ?? 100);
    this.#log = new EventLog({ sessionId: this.id, store: options.store, now, onError: options.onError ?? (() => {}) });
    this.#engine.connect({
      report: (event) => this.#onEngineEvent(event),
      claimAnswer: (callId, optionId) => this.#claimAnswer(callId, optionId),
    });
  }

  /** Queues a prompt or a slash command; returns at once, events follow on `subscribe`. */
  submit(request: TurnRequest): Accepted {
    const { messageId } = request;
    const known = messageId === undefined ? undefined : this.#turnOfMessage.get(messageId);
    if (known !== undefined) return { turnId: known, position: this.#queue.positionOf(known), duplicate: true };
    this.#checkAllowed(request);
    const turn = this.#queuedTurn(request);
    const position = this.#queue.add(turn);
    if (messageId !== undefined) this.#turnOfMessage.set(messageId, turn.turnId);
    if (!this.#canStart) this.#announce(turn, position);
    this.#startNext();
    return { turnId: turn.turnId, position: this.#queue.positionOf(turn.turnId) };
  }

  /** The first answer wins; a later one throws `already-answered` and says who was first. */
  answer(id: string, answer: Answer, by: Origin): { callId: string } {
    const { call, resolution } = this.#desk.take(id, answer, by);
    this.#publishAnswer(call, resolution, answer.newContent !== undefined);
    this.#engine.answer(call.id, answer);
    return { callId: call.id };
  }

  /** Stops the running turn, or takes a queued one back. */
  cancel(by: Origin, turnId?: string): void {
    const queued = turnId === undefined ? undefined : this.#queue.remove(turnId);
    if (queued) return this.#append({ type: 'turn', state: 'canceled' }, queued.turnId);
    if (turnId !== undefined && this.#paused.delete(turnId))
      return this.#append({ type: 'turn', state: 'canceled' }, turnId);
    if (!this.#turn || (turnId !== undefined && turnId !== this.#turn.id)) {
      throw new AppError(
        'not-cancelable',
        turnId === undefined ? 'no turn is running' : `turn "${turnId}" is not running`,
      );
    }
    this.#turn.canceledBy ??= by;
    this.#engine.cancel();
  }

  subscribe(listener: Listener, afterSeq?: number): Unsubscribe {
    return this.#log.subscribe(listener, afterSeq);
  }

  /** Whether a client that has seen everything up to `seq` can be brought up to date event by event. */
  canReplayFrom(seq: number): boolean {
    return this.#log.canReplayFrom(seq);
  }

  eventsAfter(seq: number, limit?: number): readonly SessionEvent[] {
    return this.#log.after(seq, limit);
  }

  get seq(): number {
    return this.#log.seq;
  }

  get oldestSeq(): number {
    return this.#log.oldest;
  }

  /** All a late joiner needs to take part: the state and every question that is open. */
  get snapshot(): Snapshot {
    return { state: this.state, pending: this.#desk.waiting, model: this.#agent.model, seq: this.#log.seq };
  }

  get agent(): Agent {
    return this.#agent;
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

  /** The newest events, oldest first. */
  history(limit: number): Promise<readonly SessionEvent[]> {
    return this.#store.read(this.id, Math.max(0, this.#log.seq - limit), limit);
  }

  async close(): Promise<void> {
    this.#liveOutput.clear();
    for (const turn of this.#queue.clear()) this.#append({ type: 'turn', state: 'canceled' }, turn.turnId);
    await this.#log.flush();
  }

  #checkAllowed({ kind, text }: TurnRequest): void {
    if (this.#engine.refusal !== undefined) throw new AppError('not-ready', this.#engine.refusal);
    if (kind === 'prompt') return;
    const [name = ''] = text.replace(/^\//, '').split(' ');
    const why = this.#engine.refusalOfCommand(name);
    if (why !== undefined) throw new AppError('command-refused', `/${name} cannot be run from here: ${why}`);
  }

  #queuedTurn(request: TurnRequest): QueuedTurn {
    const clean = { ...request, text: sanitize(request.text) };
    if (clean.text.trim() === '') throw new AppError('bad-request', 'the message has no visible text');
    if (request.turnId !== undefined && !this.#paused.delete(request.turnId)) {
      throw new AppError('bad-request', `turn "${request.turnId}" does not wait for a message`);
    }
    return { turnId: request.turnId ?? randomUUID(), request: clean };
  }

  get #canStart(): boolean {
    return this.#turn === undefined && this.#engine.isReady && this.#queue.length === 1;
  }

  #startNext(): void {
    if (this.#turn || !this.#engine.isReady) return;
    const next = this.#queue.next();
    if (!next) return;
    this.#turn = { id: next.turnId, state: 'working' };
    this.#announce(next);
    this.#append({ type: 'turn', state: 'working' });
    this.#engine.start(next.request);
  }

  #announce({ turnId, request }: QueuedTurn, queued?: number): void {
    const { text, origin, messageId } = request;
    const ids = messageId === undefined ? {} : { messageId };
    this.#append({ type: 'prompt', text, origin, ...ids, ...(queued === undefined ? {} : { queued }) }, turnId);
  }

  #onEngineEvent(event: EngineEvent): void {
    switch (event.type) {
      case 'ready':
        return this.#startNext();
      case 'started':
        return this.#onStarted(event.text, event.origin);
      case 'ended':
        return this.#onEnded(event.state, event.error);
      case 'tool':
        return this.#onTool(event.call);
      case 'settings':
        this.#agent = { model: event.model, ...(event.userTier === undefined ? {} : { userTier: event.userTier }) };
        return this.#append(event);
      default:
        return this.#append(event);
    }
  }

  #onStarted(text: string, origin: Origin): void {
    if (this.#turn) this.#onEnded('completed');
    this.#turn = { id: randomUUID(), state: 'working' };
    if (text !== '') this.#append({ type: 'prompt', text, origin });
    this.#append({ type: 'turn', state: 'working' });
  }

  #onEnded(state: TurnEnd | 'input-required', error?: string): void {
    if (!this.#turn) return;
    Object.assign(this.#turn, { state, isOver: true });
    for (const call of this.#calls.unfinished) this.#onTool({ ...withoutState(call), status: 'cancelled' });
    this.#append({ type: 'turn', state, ...(error === undefined ? {} : { error }) });
    if ((state === 'completed' ? this.turnEnd : state) === 'input-required') this.#paused.set(this.#turn.id, true);
    this.#calls.clear();
    this.#lastState = state;
    this.#turn = undefined;
    this.#startNext();
  }

  #onTool(update: ToolCall): void {
    if (update.status !== 'waiting' && update.status !== 'pending') this.#withdraw(update.id);
    const call = this.#calls.accept(update);
    if (!call) return;
    if (call.status === 'waiting') this.#desk.put(call);
    this.#liveOutput.push(call);
    this.#updateState();
  }

  /** The engine went on with a call that nobody answered here: somebody stopped the turn. */
  #withdraw(callId: string): void {
    const known = this.#calls.get(callId);
    const gone = this.#desk.claim(callId, cancelOption, this.#turn?.canceledBy ?? this.#engineOrigin);
    if (gone && known) this.#calls.resolve({ ...withoutState(known), status: 'pending' }, gone.resolution);
  }

  #claimAnswer(callId: string, optionId: string): boolean {
    const claimed = this.#desk.claim(callId, optionId, this.#engineOrigin);
    if (claimed) this.#publishAnswer(claimed.call, claimed.resolution, false);
    // A question the hub never saw is the engine's own business.
    return claimed !== undefined || !this.#desk.wasAnswered(callId);
  }

  #publishAnswer(call: WaitingCall, resolution: Resolution, modified: boolean): void {
    this.#liveOutput.push(this.#calls.resolve(afterAnswer(call, resolution.optionId, modified), resolution));
    this.#updateState();
  }

  /** A turn that waits for an answer is `input-required` until the last question is answered. */
  #updateState(): void {
    if (!this.#turn || this.#turn.isOver) return;
    const state = this.#desk.waiting.length > 0 ? 'input-required' : 'working';
    if (state === this.#turn.state) return;
    this.#turn.state = state;
    this.#append({ type: 'turn', state });
  }

  #append(body: EventBody, turnId = this.#turn?.id): void {
    this.#log.append(turnId, body);
  }
}
