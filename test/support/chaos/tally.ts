/** How often each thing was done or seen. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    this.#counts.set(what, this.of(what) + count);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  addAll(other: Tally): void {
    for (const [what, count] of other.#counts) this.add(what, count);
  }

  get table(): string {
    const counted = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const rows = counted.map(([what, count]) => [what, count.toLocaleString('en')] as const);
    const width = Math.max(...rows.map(([what]) => what.length));
    return rows.map(([what, count]) => `  ${what.padEnd(width)}  ${count.padStart(9)}`).join('\n');
  }
}
