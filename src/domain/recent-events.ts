import { weightOf } from './event-weight.js';
import type { SessionEvent } from './events.js';

/** How much is kept: whichever limit is reached first applies. */
export type RecentLimits = { readonly keepEvents?: number; readonly keepBytes?: number };

/** The newest events of one session, without gaps, oldest first. */
export class RecentEvents {
  readonly #keepEvents: number;
  readonly #keepBytes: number;
  #events: SessionEvent[] = [];
  #forgotten = 0;
  #bytes = 0;

  constructor({ keepEvents = 10_000, keepBytes = 32 * 1024 * 1024 }: RecentLimits = {}) {
    this.#keepEvents = keepEvents;
    this.#keepBytes = keepBytes;
  }

  get length(): number {
    return this.#events.length - this.#forgotten;
  }

  get oldest(): SessionEvent | undefined {
    return this.#events[this.#forgotten];
  }

  at(index: number): SessionEvent | undefined {
    return this.#events[this.#forgotten + index];
  }

  /** The index of the first event after `seq`. */
  indexAfter(seq: number): number {
    return Math.max(0, seq + 1 - (this.oldest?.seq ?? Infinity));
  }

  slice(start = 0, end = Infinity): SessionEvent[] {
    return this.#events.slice(this.#forgotten + start, this.#forgotten + end);
  }

  /** Keeps the new event, however large it is, and all events with a seq above `mayForget`. */
  push(event: SessionEvent, mayForget = Infinity, weight = weightOf(event)): void {
    this.#events.push(event);
    this.#bytes += weight;
    while (this.length > this.#keepEvents || this.#bytes > this.#keepBytes) {
      const { oldest } = this;
      if (oldest === undefined || oldest === event || oldest.seq > mayForget) break;
      this.#bytes -= weightOf(oldest);
      this.#forgotten++;
    }
    // Runs occasionally: a shift per event would make a full list slower than an empty one. The threshold depends on what
    // is left, because a few large events weigh as much as thousands of small ones.
    if (this.#forgotten > this.length / 4) {
      this.#events = this.slice();
      this.#forgotten = 0;
    }
  }
}
