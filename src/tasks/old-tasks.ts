import type { Store } from '../stores/store.js';
import { allTasks } from './all-tasks.js';

/** An old task is found at most this long after it expires. */
const lookEveryMs = 1_800_000;

/** Finds tasks that nobody has used for longer than `ttlMs`. */
export class OldTasks {
  readonly #store: Store;
  readonly #ttlMs: number | undefined;
  #lookedAt = Date.now();

  /** Without `ttlMs`, tasks are kept forever. */
  constructor(store: Store, ttlMs: number | undefined) {
    this.#store = store;
    this.#ttlMs = ttlMs;
  }

  /** Returns none until it is time to look again, because listing all tasks is expensive. */
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
