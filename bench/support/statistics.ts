/** The value that a share of all values does not exceed, by the nearest rank. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('a percentile of nothing');
  return value;
}

export function median(values: readonly number[]): number {
  return percentileOf(values, 0.5);
}

/** The middle one of each round's percentiles: one round that something else disturbed does not count. */
export function typicalPercentile(rounds: readonly (readonly number[])[], share: number): number {
  return median(rounds.map((values) => percentileOf(values, share)));
}

/** Each round's pair is compared on its own, so what slows down a whole round cancels out. */
export function medianRatio(ours: readonly number[], peers: readonly number[]): number {
  return median(ours.map((value, round) => value / (peers[round] ?? Number.NaN)));
}
