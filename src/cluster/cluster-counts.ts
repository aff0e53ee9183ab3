/** The counts since the start that `/metrics` shows about the cluster. */
export class ClusterCounts {
  readonly #routed = new Map<string, { readonly op: string; readonly outcome: string; count: number }>();
  /** Times that events were missing between two messages. */
  gaps = 0;
  /** Times that the store had events for which no message had arrived. */
  lateNews = 0;
  /** Servers that this one found gone before their lease had expired. */
  foundGone = 0;

  readonly #told = new Map<string, number>();

  /** A request to another server, with its `outcome`. */
  routed(op: string, outcome: string): void {
    const key = JSON.stringify([op, outcome]);
    const known = this.#routed.get(key) ?? { op, outcome, count: 0 };
    known.count++;
    this.#routed.set(key, known);
  }

  /** A message to all other servers. */
  told(topic: string): void {
    this.#told.set(topic, (this.#told.get(topic) ?? 0) + 1);
  }

  allTold(): Iterable<readonly [topic: string, count: number]> {
    return this.#told;
  }

  allRouted(): Iterable<{ readonly op: string; readonly outcome: string; readonly count: number }> {
    return this.#routed.values();
  }
}
