import type { EventBody, SessionEvent } from '../domain/events.js';
import { alreadyStored, type EventStore } from '../stores/store.js';
import { weightOf } from './event-weight.js';

export type Listener = (event: SessionEvent) => void;
export type Unsubscribe = () => void;

export type EventLogOptions = {
  readonly sessionId: string;
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  /** What an earlier life of the session left: its newest events, oldest first. */
  readonly earlier?: readonly SessionEvent[];
  /** Milestones are told only when the store has them. */
  readonly isDurable?: boolean;
  /** How much is kept in memory for replay; whichever limit is reached first. */
  readonly keepEvents?: number;
  readonly keepBytes?: number;
};

/**
 * Numbers events, remembers the last ones, hands them to the store and to
 * listeners, in order, so all surfaces see the same story; a listener that throws
 * does not stop the others. Text is told in the tick it comes. With a durable store
 * a milestone (a prompt, an answer, an end) is told when it is stored, and what comes
 * after it waits: what a client has seen survives a crash.
 */
export class EventLog {
  readonly #options: Required<EventLogOptions>;
  readonly #listeners = new Set<Listener>();
  readonly #observers = new Set<Listener>();
  /** Appended but not yet told. */
  readonly #held: { readonly event: SessionEvent; isStored: boolean }[] = [];
  #recent: SessionEvent[] = [];
  #forgotten = 0;
  #bytes = 0;
  #seq = 0;
  #told = 0;
  #writing: Promise<void> = Promise.resolve();
  /** The time of the last event: many share a millisecond, and writing a time costs more than numbering an event. */
  #at = { ms: Number.NaN, text: '' };

  constructor(options: EventLogOptions) {
    const defaults = { now: () => new Date(), earlier: [], isDurable: false, keepEvents: 10_000 };
    this.#options = { ...defaults, keepBytes: 32 * 1024 * 1024, ...options };
    for (const event of this.#options.earlier) this.#remember(event);
    this.#seq = this.#told = this.#recent.at(-1)?.seq ?? 0;
  }

  /** The newest event that was told. */
  get seq(): number {
    return this.#told;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The oldest event a client can still resume from. */
  get oldest(): number {
    return this.#recent[this.#forgotten]?.seq ?? this.#told + 1;
  }

  append(turnId: string | undefined, body: EventBody): SessionEvent {
    const { sessionId, isDurable } = this.#options;
    const seq = ++this.#seq;
    const at = this.#now();
    // The body is spread last, and is the only spread: anything after a spread costs V8 more than the rest of this function.
    const event: SessionEvent =
      turnId === undefined ? { seq, at, sessionId, ...body } : { seq, at, sessionId, turnId, ...body };
    this.#remember(event);
    const stored = this.#write(event);
    for (const observer of this.#observers) this.#deliver(observer, event);
    if (stored && isDurable && isMilestone(event)) this.#hold(event, stored);
    else if (this.#held.length > 0) this.#held.push({ event, isStored: true });
    else this.#tell(event);
    return event;
  }

  /** Whether every event after `seq` is still here. A cursor from the future belongs to another life of the session. */
  canReplayFrom(seq: number): boolean {
    return seq >= this.oldest - 1 && seq <= this.#told;
  }

  /** What is still remembered of the events after `seq`. */
  after(seq: number, limit = Infinity): readonly SessionEvent[] {
    const first = this.#forgotten + Math.max(0, seq + 1 - this.oldest);
    const told = this.#recent.length - this.#held.length;
    return this.#recent.slice(first, Math.min(told, first + limit));
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

  /** For those who keep the state of the session in memory: every event in the tick it happens, after those of before. */
  observe(observer: Listener): Unsubscribe {
    for (const event of this.#recent.slice(this.#forgotten)) this.#deliver(observer, event);
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Calls back when everything appended so far is stored; at once when nothing is lost by not waiting. */
  whenStored(then: () => void): void {
    if (!this.#options.isDurable) return then();
    void this.#writing.then(then).catch(this.#options.onError);
  }

  /** Resolves when everything appended so far is stored. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #now(): string {
    const now = this.#options.now();
    const ms = now.getTime();
    if (ms !== this.#at.ms) this.#at = { ms, text: now.toISOString() };
    return this.#at.text;
  }

  /** Given to the store at once: one that writes to a disk makes one write of all events of a tick. Undefined: it has it. */
  #write(event: SessionEvent): Promise<void> | undefined {
    const { store, onError } = this.#options;
    const appended = store.append(event);
    if (appended === alreadyStored) return undefined;
    const stored = appended.catch(onError);
    this.#writing = this.#writing.then(() => stored);
    return stored;
  }

  #hold(event: SessionEvent, stored: Promise<void>): void {
    const entry = { event, isStored: false };
    this.#held.push(entry);
    void stored.then(() => this.#release(entry));
  }

  #release(entry: { isStored: boolean }): void {
    entry.isStored = true;
    while (this.#held[0]?.isStored) {
      const next = this.#held.shift();
      if (next) this.#tell(next.event);
    }
  }

  #tell(event: SessionEvent): void {
    this.#told = event.seq;
    for (const listener of this.#listeners) this.#deliver(listener, event);
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

/** What nobody may hear of and then find gone. Text and output on their way are told again by what ends them. */
function isMilestone(event: SessionEvent): boolean {
  switch (event.type) {
    case 'prompt':
    case 'turn':
    case 'artifact':
    case 'reply':
      return true;
    case 'tool':
      return event.call.status !== 'executing' || event.call.liveOutput === undefined;
    default:
      return false;
  }
}
