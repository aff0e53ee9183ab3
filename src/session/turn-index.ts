import type { SessionEvent } from '../domain/events.js';
import { RecentMap } from '../util/recent-map.js';

/** Turns that can be found again; more than anybody asks for by their id, in some ten megabytes. */
const remembered = 100_000;

/** Numbers of events. */
type Range = { readonly first: number; last: number };

/** Where each turn of a session is among its events. */
export class TurnIndex {
  readonly #turns = new RecentMap<string, Range>(remembered);

  note({ turnId, seq }: SessionEvent): void {
    if (turnId === undefined) return;
    const known = this.#turns.get(turnId);
    if (known) known.last = Math.max(known.last, seq);
    else this.#turns.set(turnId, { first: seq, last: seq });
  }

  rangeOf(turnId: string): Readonly<Range> | undefined {
    return this.#turns.get(turnId);
  }
}
