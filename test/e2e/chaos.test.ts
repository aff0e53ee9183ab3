import { expect, test } from 'vitest';
import { runChaos } from '../support/chaos/chaos.js';
import { moments } from '../support/chaos/moments.js';

/** Each moment has its turn; `npm run chaos` does it more often, and on other stores. */
const kills = moments.length;

test(`${kills} times kill -9, and a store that comes and goes: nothing is lost, nothing runs twice, nothing is untrue`, async () => {
  const { broken, tally } = await runChaos({ store: 'sqlite', kills, seed: 1 });
  expect(broken).toEqual([]);
  expect(moments.filter((moment) => tally.of(`killed at: ${moment}`) !== 1)).toEqual([]);
  const outages = ['SQLite locked', 'SQLite locked, beyond patience'];
  expect(outages.filter((outage) => tally.of(`outages: ${outage}`) === 0)).toEqual([]);
});
