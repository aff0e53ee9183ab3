/** Random numbers that a seed repeats (mulberry32). */
export type Random = {
  /** From 0 to 1. */
  next(): number;
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T | undefined;
};

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, chance: (probability) => next() < probability, pick: (values) => values[below(values.length)] };
}
