import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../domain/events.js';
import type { Resolution } from '../domain/tool-call.js';
import { RecentMap } from '../util/recent-map.js';
import { defined } from '../util/defined.js';

/** A call that was answered, and where that is among the events of its session. */
export type AnsweredCall = {
  readonly id: string;
  readonly correlationId?: string;
  readonly resolution: Resolution;
  readonly turnId?: string;
  readonly seq: number;
};

/** As many as an approval desk remembers. */
const remembered = 1000;

/** The calls of a session that were answered, in any turn: the newest ones. */
export class AnsweredCalls {
  readonly #calls = new RecentMap<string, AnsweredCall>(remembered);

  constructor(known: Iterable<AnsweredCall> = []) {
    for (const call of known) this.#calls.set(call.id, call);
  }

  /** Oldest first. */
  get all(): readonly AnsweredCall[] {
    return [...this.#calls.values()];
  }

  /** By its id, or by that of the question. */
  find(named: string): AnsweredCall | undefined {
    return this.#calls.get(named) ?? this.all.findLast(({ correlationId }) => correlationId === named);
  }

  note(event: SessionEvent): void {
    if (event.type !== 'tool' || event.call.resolution === undefined) return;
    const { id, correlationId, resolution } = event.call;
    // Everything that happens to the call from then on carries the same answer.
    if (isDeepStrictEqual(this.#calls.get(id)?.resolution, resolution)) return;
    const { seq, turnId } = event;
    this.#calls.set(id, { id, resolution, seq, ...defined({ correlationId, turnId }) });
  }
}
