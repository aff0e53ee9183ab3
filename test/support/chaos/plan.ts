import { type Moment, moments } from './moments.js';
import type { Outage } from './outages/outage.js';
import type { Random } from './random.js';

/** How one life of the server will go. */
export type Plan = {
  /** It is killed when this happens for the `times`th time, so many milliseconds later. */
  readonly killAt: Moment;
  readonly times: number;
  readonly delayMs: number;
  readonly outage?: PlannedOutage;
};

export type PlannedOutage = {
  readonly outage: Outage;
  /** Until the server loses patience and says so; otherwise for so many milliseconds. */
  readonly isLong: boolean;
  readonly ms: number;
};

/**
 * The lives of a round: every moment and every outage has its turn, in an order of chance. Of the outages that can last, one
 * lasts, a different one in each round.
 */
export function planRound(lives: number, round: number, outages: readonly Outage[], random: Random): readonly Plan[] {
  const order = shuffled(moments, random);
  const lasting = outages.filter(({ canLast }) => canLast);
  const kinds = shuffled(outages, random);
  const longAt = random.below(lives);
  return Array.from({ length: lives }, (_, life) => {
    const killAt = order[life % order.length] ?? 'turn over';
    const isLong = life === longAt;
    const isTroubled = isLong || killAt === 'store away' || life % 2 === 0;
    const outage = isLong ? lasting[round % lasting.length] : kinds[life % kinds.length];
    return {
      killAt,
      times: killAt === 'store away' ? 1 : 1 + random.below(3),
      delayMs: random.chance(0.5) ? 0 : random.below(40),
      ...(outage && isTroubled ? { outage: { outage, isLong, ms: 100 + random.below(700) } } : {}),
    };
  });
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
