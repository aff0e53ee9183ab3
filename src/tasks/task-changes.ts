import type { StoredTask } from '../stores/store.js';

/** The record of a task has changed in the store, or is gone. */
export type TaskChange = { readonly type: 'saved' | 'removed'; readonly task: StoredTask };

/** Passes on what this server changes in the list of tasks. */
export class TaskChanges {
  readonly #listeners = new Set<(change: TaskChange) => void>();

  subscribe(listener: (change: TaskChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(change: TaskChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
