import { AppError, isElsewhere } from '../domain/errors.js';
import type { EventBody, SessionEvent } from '../domain/events.js';
import { RecentEvents, type RecentLimits } from '../domain/recent-events.js';
import { alreadyStored, type EventStore } from '../stores/store.js';
import { cutEvent } from './cut-event.js';

export type Listener = (event: SessionEvent) => void;
/** Gets the event as clients get it, and as it happened. */
export type Observer = (event: SessionEvent, whole: SessionEvent) => void;
export type Unsubscribe = () => void;
/** In the store are those in memory too, but reading them there takes time. */
export type Place = 'memory' | 'store';

/** The limits are those of what is kept in memory for replay. */
export type EventLogOptions = RecentLimits & {
  readonly sessionId: string;
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  /** What an earlier life of the session left: its newest events as clients get them, oldest first. */
  readonly earlier?: readonly SessionEvent[];
  /** Numbers up to this one may have been given in lives of which nothing is left. */
  readonly startAfter?: number;
  /** Events are told when the store has them. */
  readonly isDurable?: boolean;
  /** The store has refused an event: nothing that happens from there on can be told. */
  readonly onLoss?: (why: AppError) => void;
};

/**
 * Numbers events, remembers the last ones, hands them to the store and to
 * listeners, in order, so all surfaces see the same story; a listener that throws
 * does not stop the others. Events are told in the tick they come. With a durable
 * store they are told when they are stored: what a client has seen survives a crash,
 * and its number is never given to another event.
 */
export class EventLog {
  readonly #options: Required<Omit<EventLogOptions, keyof RecentLimits>>;
  readonly #listeners = new Set<Listener>();
  readonly #observers = new Set<Observer>();
  readonly #recent: RecentEvents;
  #seq = 0;
  #told = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Why an event could not be stored. */
  #loss: AppError | undefined;
  /** The time of the last event: many share a millisecond, and writing a time costs more than numbering an event. */
  #at = { ms: Number.NaN, text: '' };

  constructor(options: EventLogOptions) {
    const defaults = {
      now: () => new Date(),
      earlier: [],
      startAfter: 0,
      isDurable: false,
      onLoss: options.onError,
    };
    this.#options = { ...defaults, ...options };
    this.#recent = new RecentEvents(options);
    this.#seq = this.#told = this.#options.startAfter;
    for (const event of this.#options.earlier) {
      this.#seq = this.#told = event.seq;
      this.#recent.push(event);
    }
  }

  /** The newest event that was told. */
  get seq(): number {
    return this.#told;
  }

  /** The newest event, whether it was told yet or not. */
  get lastSeq(): number {
    return this.#seq;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The oldest event in memory. */
  get oldest(): number {
    return this.#recent.oldest?.seq ?? this.#told + 1;
  }

  append(turnId: string | undefined, body: EventBody): SessionEvent {
    const { sessionId, isDurable } = this.#options;
    const seq = ++this.#seq;
    const at = this.#now();
    // The body is spread last, and is the only spread: anything after a spread costs V8 more than the rest of this function.
    const whole: SessionEvent =
      turnId === undefined ? { seq, at, sessionId, ...body } : { seq, at, sessionId, turnId, ...body };
    const event = cutEvent(whole);
    this.#recent.push(event, this.#told);
    const stored = this.#write(whole);
    for (const observer of this.#observers) this.#deliver(observer, event, whole);
    if (!stored || !isDurable) this.#tellUntil(seq);
    else void stored.then(() => (this.#loss ? undefined : this.#tellUntil(seq)));
    return event;
  }

  /**
   * Where every event after `seq` is; 0 is the start of this life. Undefined for a cursor that this life cannot have given,
   * or of which no store was told.
   */
  whereAfter(seq: number): Place | undefined {
    const { startAfter, isDurable } = this.#options;
    const from = seq === 0 ? startAfter : seq;
    if (from > this.#told) return undefined;
    if (from >= this.oldest - 1) return 'memory';
    return isDurable && from >= startAfter ? 'store' : undefined;
  }

  /** What is still remembered of the events after `seq`. */
  after(seq: number, limit = Infinity): readonly SessionEvent[] {
    const first = this.#recent.indexAfter(seq);
    const told = this.#recent.length - (this.#seq - this.#told);
    return this.#recent.slice(first, Math.min(told, first + limit));
  }

  /** The same, with the events that observers have and listeners will get. */
  happenedAfter(seq: number): readonly SessionEvent[] {
    return this.#recent.slice(this.#recent.indexAfter(seq));
  }

  /**
   * Replays everything after `afterSeq`, then stays live. Replay and
   * registration happen in one synchronous step, so no event is lost or doubled.
   */
  subscribe(listener: Listener, afterSeq = this.#told): Unsubscribe {
    for (const event of this.after(afterSeq)) this.#deliver(listener, event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * For those who keep the state of the session in memory: every event in the tick it happens, after those of before.
   * `older`: what is to come first of the events that are not remembered.
   */
  observe(observer: Observer, older: readonly SessionEvent[] = []): Unsubscribe {
    for (const event of older) this.#deliver(observer, cutEvent(event), event);
    for (const event of this.#recent.slice()) this.#deliver(observer, event);
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Calls back when everything appended so far is stored, or lost; at once when nothing is gained by waiting. */
  whenStored(then: () => void, otherwise: () => void): void {
    if (this.#options.isDurable) this.flush().then(then, otherwise).catch(this.#options.onError);
    else then();
  }

  /** Resolves when everything appended so far is stored; rejects when that cannot be. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#options.isDurable && this.#loss !== undefined) throw this.#loss;
  }

  #now(): string {
    const now = this.#options.now();
    const ms = now.getTime();
    if (ms !== this.#at.ms) this.#at = { ms, text: now.toISOString() };
    return this.#at.text;
  }

  /** Given to the store at once: one that writes to a disk makes one write of all events of a tick. Undefined: it has it. */
  #write(event: SessionEvent): Promise<void> | undefined {
    const appended = this.#options.store.append(event);
    if (appended === alreadyStored) return undefined;
    const stored = appended.catch((error: unknown) => this.#lose(error));
    this.#writing = this.#writing.then(() => stored);
    return stored;
  }

  /** What is lost after the first is lost because of it. */
  #lose(cause: unknown): void {
    if (this.#loss) return;
    this.#loss = isElsewhere(cause) ? cause : partIsLost(cause);
    this.#options.onLoss(this.#loss);
  }

  #tellUntil(seq: number): void {
    while (this.#told < seq) {
      const event = this.#recent.at(this.#recent.length - (this.#seq - this.#told));
      if (!event) return;
      this.#told = event.seq;
      for (const listener of this.#listeners) this.#deliver(listener, event);
    }
  }

  #deliver(listener: Observer, event: SessionEvent, whole = event): void {
    try {
      listener(event, whole);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

function partIsLost(cause: unknown): AppError {
  const reason = cause instanceof AppError ? cause.message : 'the store of the server has failed';
  return new AppError('store-unavailable', `a part of this turn is lost: ${reason}`, { cause });
}
