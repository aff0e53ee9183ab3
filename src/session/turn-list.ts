import type { SessionEvent, WhenDone } from '../domain/events.js';
import type { StoredTurn } from '../stores/store.js';
import { RecentMap } from '../util/recent-map.js';

/** As many as an A2A client can read of a session; the oldest are forgotten. */
const maxTurns = 500;

/** The turns of a session in short. The record of the task has them, so that lists are made without reading events. */
export class TurnList {
  readonly #turns = new RecentMap<string, StoredTurn>(maxTurns);
  readonly #whenDone: WhenDone;

  constructor(known: readonly StoredTurn[], whenDone: WhenDone) {
    this.#whenDone = whenDone;
    for (const turn of known) this.#turns.set(turn.id, turn);
  }

  /** Oldest first. */
  get all(): readonly StoredTurn[] {
    return [...this.#turns.values()];
  }

  note(event: SessionEvent): void {
    const { turnId: id, at } = event;
    if (id === undefined || (event.type !== 'prompt' && event.type !== 'turn')) return;
    const known = this.#turns.get(id);
    if (event.type === 'turn') {
      const state = event.state === 'completed' ? this.#whenDone : event.state;
      this.#turns.set(id, { ...known, id, state, at });
    } else if (!known) {
      const { contextId } = event;
      this.#turns.set(id, { id, state: 'submitted', at, ...(contextId === undefined ? {} : { contextId }) });
    } else if (known.state === 'input-required') this.#turns.set(id, { ...known, state: 'submitted' });
  }
}
