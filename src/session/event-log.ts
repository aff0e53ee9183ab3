import type { EventBody, SessionEvent } from '../domain/events.js';
import type { EventStore } from '../stores/store.js';
import { weightOf } from './event-weight.js';

export type Listener = (event: SessionEvent) => void;
export type Unsubscribe = () => void;

export type EventLogOptions = {
  readonly sessionId: string;
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  /** How much is kept in memory for replay; whichever limit is reached first. */
  readonly keepEvents?: number;
  readonly keepBytes?: number;
};

/**
 * Numbers events, remembers the last ones, hands them to listeners and to the
 * store. Listeners run synchronously and in order, so all surfaces see the same
 * story; a listener that throws does not stop the others.
 */
export class EventLog {
  readonly #options: Required<EventLogOptions>;
  readonly #listeners = new Set<Listener>();
  #recent: SessionEvent[] = [];
  #forgotten = 0;
  #bytes = 0;
  #seq = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: EventLogOptions) {
    this.#options = { now: () => new Date(), keepEvents: 10_000, keepBytes: 32 * 1024 * 1024, ...options };
  }

  get seq(): number {
    return this.#seq;
  }

  /** The oldest event a client can still resume from. */
  get oldest(): number {
    return this.#recent[this.#forgotten]?.seq ?? this.#seq + 1;
  }

  append(turnId: string | undefined, body: EventBody): SessionEvent {
    const { sessionId, now, store, onError } = this.#options;
    const stamp = { seq: ++this.#seq, at: now().toISOString(), sessionId };
    // The body is spread last: properties added after a spread cost V8 ten times the rest of this function.
    const event: SessionEvent = turnId === undefined ? { ...stamp, ...body } : { ...stamp, turnId, ...body };
    this.#remember(event);
    // Given to the store at once: one that writes to a disk makes one write of all events of a tick.
    const stored = store.append(event).catch(onError);
    this.#writing = this.#writing.then(() => stored);
    for (const listener of this.#listeners) this.#deliver(listener, event);
    return event;
  }

  /** Whether every event after `seq` is still here. A cursor from the future belongs to another life of the session. */
  canReplayFrom(seq: number): boolean {
    return seq >= this.oldest - 1 && seq <= this.#seq;
  }

  /** What is still remembered of the events after `seq`. */
  after(seq: number, limit = Infinity): readonly SessionEvent[] {
    const first = this.#forgotten + Math.max(0, seq + 1 - this.oldest);
    return this.#recent.slice(first, first + limit);
  }

  /**
   * Replays everything after `afterSeq`, then stays live. Replay and
   * registration happen in one synchronous step, so no event is lost or doubled.
   */
  subscribe(listener: Listener, afterSeq = this.#seq): Unsubscribe {
    for (const event of this.after(afterSeq)) this.#deliver(listener, event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when everything appended so far is stored. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #remember(event: SessionEvent): void {
    const { keepEvents, keepBytes } = this.#options;
    this.#recent.push(event);
    this.#bytes += weightOf(event);
    while (this.#recent.length - this.#forgotten > keepEvents || this.#bytes > keepBytes) {
      const oldest = this.#recent[this.#forgotten];
      if (oldest === undefined || oldest === event) break;
      this.#bytes -= weightOf(oldest);
      this.#forgotten++;
    }
    // Compacted now and then instead of shifting per event, so a full log costs no more than an empty one.
    if (this.#forgotten > keepEvents / 4) {
      this.#recent = this.#recent.slice(this.#forgotten);
      this.#forgotten = 0;
    }
  }

  #deliver(listener: Listener, event: SessionEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
