import { EventQueue, maxBuffered, overflow } from './event-queue.js';
import type { History } from './history.js';
import type { SnapshotEvent, WireEvent } from './wire-event.js';

export type WatcherOptions = {
  /** The history up to an event, to be added to each snapshot. Absent if the reader does not want it. */
  readonly historyUntil?: (seq: number) => Promise<History>;
  readonly onEnd: (watcher: Watcher) => void;
};

/** One reader of a session. While the history of a snapshot is fetched, the events after it wait: none is lost or repeated. */
export class Watcher {
  readonly events: EventQueue<WireEvent>;
  readonly #historyUntil: WatcherOptions['historyUntil'];
  #waiting: WireEvent[] | undefined;

  constructor({ historyUntil, onEnd }: WatcherOptions) {
    this.#historyUntil = historyUntil;
    this.events = new EventQueue(() => onEnd(this));
  }

  push(event: WireEvent): void {
    if (event.kind === 'SNAPSHOT' && this.#historyUntil) void this.#begin(event, this.#historyUntil);
    else if (!this.#waiting) this.events.push(event);
    else if (this.#waiting.length < maxBuffered) this.#waiting.push(event);
    else this.events.end(overflow());
  }

  async #begin(snapshot: SnapshotEvent, historyUntil: (seq: number) => Promise<History>): Promise<void> {
    // A later snapshot replaces this one, and what came before it.
    const waiting: WireEvent[] = (this.#waiting = []);
    try {
      const history = await historyUntil(snapshot.seq);
      if (this.#waiting !== waiting) return;
      this.#waiting = undefined;
      for (const event of [{ ...snapshot, history }, ...waiting]) this.events.push(event);
    } catch (error) {
      if (this.#waiting === waiting) this.events.end(error instanceof Error ? error : undefined);
    }
  }
}
