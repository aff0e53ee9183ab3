/** The value that the given share of all values does not exceed, by nearest rank. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('a percentile of nothing');
  return value;
}

export function median(values: readonly number[]): number {
  return percentileOf(values, 0.5);
}

/** The median of the rounds' percentiles, so that one disturbed round does not count. */
export function typicalPercentile(rounds: readonly (readonly number[])[], share: number): number {
  return median(rounds.map((values) => percentileOf(values, share)));
}

/** Compares the two sides within each round, so anything that slows down a whole round cancels out. */
export function medianRatio(ours: readonly number[], peers: readonly number[]): number {
  return median(ours.map((value, round) => value / (peers[round] ?? Number.NaN)));
}
