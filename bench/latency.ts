import type { Bench, Row } from './support/bench.js';
import { type Side, withBothSides } from './support/side.js';
import { typicalPercentile } from './support/statistics.js';

const pace = { events: 200, everyMs: 5 };
const rounds = 5;

export const latency: Bench = {
  name: 'latency',
  question:
    'One event every 5 ms: milliseconds from the engine’s report to receipt, ours compared with a bare `ws` broadcast.',
  target: 'ratios of about 1 or less: collecting the frames of a tick adds no latency',
  run: ({ say }) =>
    withBothSides(async (ours, bare) => {
      const rows: Row[] = [];
      for (const clients of [1, 100]) {
        say(`${clients} clients`);
        rows.push(await measure(ours, bare, clients));
      }
      return rows;
    }),
};

async function measure(ours: Side, bare: Side, clients: number): Promise<Row> {
  await Promise.all([ours.connect(clients), bare.connect(clients)]);
  const latencies: { ours: number[][]; bare: number[][] } = { ours: [], bare: [] };
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const [our, peer] = [await ours.pace(pace), await bare.pace(pace)];
    if (round === 0) continue;
    latencies.ours.push(our);
    latencies.bare.push(peer);
  }
  await Promise.all([ours.disconnect(), bare.disconnect()]);
  const [ours50, ours99] = [typicalPercentile(latencies.ours, 0.5), typicalPercentile(latencies.ours, 0.99)];
  const [bare50, bare99] = [typicalPercentile(latencies.bare, 0.5), typicalPercentile(latencies.bare, 0.99)];
  return {
    clients,
    'ours p50 ms': ours50,
    'bare ws p50 ms': bare50,
    'p50 ratio': ours50 / bare50,
    'ours p99 ms': ours99,
    'bare ws p99 ms': bare99,
    'p99 ratio': ours99 / bare99,
  };
}
