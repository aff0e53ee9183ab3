import { RecentMap } from './recent-map.js';

/** Requests that can come again under the same id because their reply was lost. They are done once. */
export class Repeats<T> {
  readonly #done: RecentMap<string, Promise<T>>;

  /** `limit`: how many are remembered. */
  constructor(limit: number) {
    this.#done = new RecentMap(limit);
  }

  run(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#done.get(id);
    if (known) return known;
    const doing = work();
    this.#done.set(id, doing);
    return doing;
  }
}
