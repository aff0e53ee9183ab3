import { AppError, isElsewhere } from '../../domain/errors.js';
import { weightOf } from '../../domain/event-weight.js';
import type { EventBody, SessionEvent } from '../../domain/events.js';
import { RecentEvents, type RecentLimits } from '../../domain/recent-events.js';
import { alreadyStored, type EventStore } from '../../stores/store.js';
import { isoTime } from '../../util/text/iso-time.js';
import { cutEvent, sentWeight } from './cut-event.js';

export type Listener = (event: SessionEvent) => void;
/** Gets the event as clients get it, and the whole event. */
export type Observer = (event: SessionEvent, whole: SessionEvent) => void;
export type Unsubscribe = () => void;
/** The store also has the events in memory, but reading it takes time. */
export type Place = 'memory' | 'store';

/** The limits apply to the events kept in memory for replay. */
export type EventLogOptions = RecentLimits & {
  readonly sessionId: string;
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  /** The newest events of an earlier run of the session, as clients get them, oldest first. */
  readonly earlier?: readonly SessionEvent[];
  /** Earlier runs that left nothing behind may have used seqs up to this one. */
  readonly startAfter?: number;
  /** Events are sent only after the store has them. */
  readonly isDurable?: boolean;
  /** The store has refused an event: no later event can be sent. */
  readonly onLoss?: (why: AppError) => void;
};

/**
 * Numbers events, keeps the newest in memory and passes all of them to the store and
 * the listeners in order: every surface sees the same story. A listener that throws
 * does not stop the others. Events are sent in the tick they occur. With a durable
 * store they are sent once stored: what a client has seen survives a crash, and its
 * seq is never used for another event.
 */
export class EventLog {
  readonly #options: Required<Omit<EventLogOptions, keyof RecentLimits>>;
  readonly #listeners = new Set<Listener>();
  readonly #observers = new Set<Observer>();
  readonly #recent: RecentEvents;
  #seq = 0;
  #sentSeq = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Why an event could not be stored. */
  #loss: AppError | undefined;

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
    this.#seq = this.#sentSeq = this.#options.startAfter;
    for (const event of this.#options.earlier) {
      this.#seq = this.#sentSeq = event.seq;
      this.#recent.push(event);
    }
  }

  /** The newest event that was sent. */
  get seq(): number {
    return this.#sentSeq;
  }

  /** The newest event, sent or not. */
  get lastSeq(): number {
    return this.#seq;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The oldest event in memory. */
  get oldest(): number {
    return this.#recent.oldest?.seq ?? this.#sentSeq + 1;
  }

  append(turnId: string | undefined, body: EventBody): SessionEvent {
    const { sessionId, isDurable } = this.#options;
    const seq = ++this.#seq;
    const at = isoTime(this.#options.now().getTime());
    // The body is spread last, and is the only spread: anything after a spread costs V8 more than the rest of this function.
    const whole: SessionEvent =
      turnId === undefined ? { seq, at, sessionId, ...body } : { seq, at, sessionId, turnId, ...body };
    const event = this.#remember(whole);
    const stored = this.#write(whole);
    for (const observer of this.#observers) this.#deliver(observer, event, whole);
    if (!stored || !isDurable) this.#sendUntil(seq);
    else void stored.then(() => (this.#loss ? undefined : this.#sendUntil(seq)));
    return event;
  }

  /** Adds the next event of a session that another server runs, which has numbered and stored it. */
  take(whole: SessionEvent): void {
    this.#seq = whole.seq;
    const event = this.#remember(whole);
    for (const observer of this.#observers) this.#deliver(observer, event, whole);
    this.#sendUntil(event.seq);
  }

  /**
   * Where all events after `seq` are; 0 is the start of this run. Undefined for a cursor that this run cannot have issued,
   * or if some of the events are neither in memory nor in a durable store.
   */
  whereAfter(seq: number): Place | undefined {
    const { startAfter, isDurable } = this.#options;
    const from = seq === 0 ? startAfter : seq;
    if (from > this.#sentSeq) return undefined;
    if (from >= this.oldest - 1) return 'memory';
    return isDurable && from >= startAfter ? 'store' : undefined;
  }

  /** The sent events after `seq` that are still in memory. */
  after(seq: number, limit = Infinity): readonly SessionEvent[] {
    const first = this.#recent.indexAfter(seq);
    const sent = this.#recent.length - (this.#seq - this.#sentSeq);
    return this.#recent.slice(first, Math.min(sent, first + limit));
  }

  /** The same, plus the events that observers already have and listeners will get. */
  happenedAfter(seq: number): readonly SessionEvent[] {
    return this.#recent.slice(this.#recent.indexAfter(seq));
  }

  /**
   * Replays everything after `afterSeq`, then stays live. Replay and
   * registration happen in one synchronous step, so no event is lost or repeated.
   */
  subscribe(listener: Listener, afterSeq = this.#sentSeq): Unsubscribe {
    for (const event of this.after(afterSeq)) this.#deliver(listener, event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * For code that keeps session state in memory: first the past events, then every event in the tick it happens.
   * `older`: events that are no longer in memory and must be delivered first.
   */
  observe(observer: Observer, older: readonly SessionEvent[] = []): Unsubscribe {
    for (const event of older) this.#deliver(observer, cutEvent(event), event);
    for (const event of this.#recent.slice()) this.#deliver(observer, event);
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Calls back once everything appended so far is stored or lost; immediately if the store is not durable. */
  whenStored(then: () => void, otherwise: () => void): void {
    if (this.#options.isDurable) this.flush().then(then, otherwise).catch(this.#options.onError);
    else then();
  }

  /** Resolves once everything appended so far is stored; rejects if some of it was lost. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#options.isDurable && this.#loss !== undefined) throw this.#loss;
  }

  /** Returns the event as clients get it. Weighing it takes longer than keeping it, so it is done once. */
  #remember(whole: SessionEvent): SessionEvent {
    const weight = weightOf(whole);
    const event = weight <= sentWeight ? whole : cutEvent(whole);
    this.#recent.push(event, this.#sentSeq, event === whole ? weight : weightOf(event));
    return event;
  }

  /** Never waits: a store on disk can combine the events of a tick into one write. Returns undefined if already stored. */
  #write(event: SessionEvent): Promise<void> | undefined {
    const appended = this.#options.store.append(event);
    if (appended === alreadyStored) return undefined;
    const stored = appended.catch((error: unknown) => this.#lose(error));
    this.#writing = this.#writing.then(() => stored);
    return stored;
  }

  /** Reports only the first loss, because it causes all later ones. */
  #lose(cause: unknown): void {
    if (this.#loss) return;
    this.#loss = isElsewhere(cause) ? cause : partIsLost(cause);
    this.#options.onLoss(this.#loss);
  }

  #sendUntil(seq: number): void {
    while (this.#sentSeq < seq) {
      const event = this.#recent.at(this.#recent.length - (this.#seq - this.#sentSeq));
      if (!event) return;
      this.#sentSeq = event.seq;
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
  const reason = cause instanceof AppError ? cause.message : "the server's store failed";
  return new AppError('store-unavailable', `part of this turn was lost: ${reason}`, { cause });
}
