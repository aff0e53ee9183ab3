import type { Run, Running } from './run.js';

/**
 * Takes `perRound` samples of every side in each round, one at a time: the machine drifts within seconds, so two sides can only
 * be compared by samples taken one after the other. Every other time the order is reversed, because the load that one side
 * leaves behind slows down the next. The first round warms up.
 */
export async function alternate<T>(
  what: string,
  perRound: number,
  running: readonly Running[],
  { attempt, rounds, say }: Run,
  {
    prepare,
    sample,
  }: {
    readonly prepare: (each: Running) => Promise<T>;
    readonly sample: (each: Running, prepared: T, isCounted: boolean) => Promise<void>;
  },
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    say(`${what}, round ${round} of ${rounds}`);
    const prepared = new Map<Running, T>();
    for (const each of running) await attempt(each.side, async () => void prepared.set(each, await prepare(each)));
    for (let count = 0; count < perRound; count++) {
      const order = [...prepared];
      const isForward = (round * perRound + count) % 2 === 0;
      for (const [each, own] of isForward ? order : order.toReversed())
        await attempt(each.side, () => sample(each, own, round > 0));
    }
  }
}
