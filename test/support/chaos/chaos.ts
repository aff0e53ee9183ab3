import type { ChaosOptions } from './options.js';
import { type RoundOutcome, runRound } from './round.js';
import { stores } from './stores/open.js';
import { Tally } from './tally.js';

export type ChaosProgress = {
  readonly onKilled?: () => void;
  readonly onRound?: (round: RoundOutcome & { readonly seed: number }) => void;
};

/** Every so many kills everything is finished and checked, and the next ones begin with nothing: memory stays small. */
const killsPerRound = 25;

/** Ends with the first round in which something is broken. */
export async function runChaos(options: ChaosOptions, progress: ChaosProgress = {}): Promise<RoundOutcome> {
  const tally = new Tally();
  const store = await stores[options.store]?.();
  if (!store) throw new Error(`there is no store "${options.store}"`);
  try {
    for (let round = 0, left = options.kills; left > 0; round++, left -= killsPerRound) {
      const seed = options.seed + round;
      const kills = Math.min(left, killsPerRound);
      const { cluster } = options;
      const outcome = await runRound({ store, seed, round, kills, ...(cluster && { cluster }), ...progress });
      tally.addAll(outcome.tally);
      progress.onRound?.({ ...outcome, seed });
      if (outcome.broken.length > 0) return { tally, broken: outcome.broken };
    }
    return { tally, broken: [] };
  } finally {
    await store.close();
  }
}
