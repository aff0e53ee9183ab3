import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../../domain/events.js';
import type { Resolution } from '../../domain/tool-call.js';
import { RecentMap } from '../../util/recent-map.js';
import { defined } from '../../util/defined.js';

/** An answered call, and the seq of the event that first carried its answer. */
export type AnsweredCall = {
  readonly id: string;
  readonly correlationId?: string;
  readonly resolution: Resolution;
  readonly turnId?: string;
  readonly seq: number;
};

/** The same number as the approval desk remembers. */
const remembered = 1000;

/** The most recently answered calls of a session, from any turn. */
export class AnsweredCalls {
  readonly #calls = new RecentMap<string, AnsweredCall>(remembered);

  constructor(known: Iterable<AnsweredCall> = []) {
    for (const call of known) this.#calls.set(call.id, call);
  }

  /** Oldest first. */
  get all(): readonly AnsweredCall[] {
    return [...this.#calls.values()];
  }

  /** Finds a call by its id or by its question's id. */
  find(named: string): AnsweredCall | undefined {
    return this.#calls.get(named) ?? this.all.findLast(({ correlationId }) => correlationId === named);
  }

  note(event: SessionEvent): void {
    if (event.type !== 'tool' || event.call.resolution === undefined) return;
    const { id, correlationId, resolution } = event.call;
    // Every later event of the call repeats the answer; keep the seq of the first.
    if (isDeepStrictEqual(this.#calls.get(id)?.resolution, resolution)) return;
    const { seq, turnId } = event;
    this.#calls.set(id, { id, resolution, seq, ...defined({ correlationId, turnId }) });
  }
}
