import type { Store } from '../stores/store.js';
import { allTasks } from './all-tasks.js';

/** At most this long after its time an old task is found. */
const lookEveryMs = 1_800_000;

/** Finds the tasks that nobody used for longer than they are kept. */
export class OldTasks {
  readonly #store: Store;
  readonly #ttlMs: number | undefined;
  #lookedAt = Date.now();

  /** Without `ttlMs` tasks are kept for ever. */
  constructor(store: Store, ttlMs: number | undefined) {
    this.#store = store;
    this.#ttlMs = ttlMs;
  }

  /** None, unless it is time to look again: a list of all tasks costs something. */
  async find(now: number): Promise<readonly string[]> {
    const ttlMs = this.#ttlMs;
    if (ttlMs === undefined || now - this.#lookedAt < Math.min(ttlMs / 2, lookEveryMs)) return [];
    this.#lookedAt = now;
    const oldest = new Date(now - ttlMs).toISOString();
    const old: string[] = [];
    for await (const task of allTasks((query) => this.#store.tasks(query), { limit: 500 }))
      if (task.updatedAt < oldest) old.push(task.id);
    return old;
  }
}
