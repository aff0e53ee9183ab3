import type { Bench, Row } from './support/bench.js';
import { type Side, withBothSides } from './support/side.js';
import { median, medianRatio } from './support/statistics.js';

export type Case = { readonly clients: number; readonly perTick: number; readonly deliveries: number };

/** The first and the last two show what the gain depends on: how many events arrive in one tick. */
const cases: readonly Case[] = [
  { clients: 1, perTick: 1, deliveries: 50_000 },
  { clients: 1, perTick: 100, deliveries: 150_000 },
  { clients: 10, perTick: 100, deliveries: 200_000 },
  { clients: 100, perTick: 100, deliveries: 200_000 },
  { clients: 1000, perTick: 100, deliveries: 600_000 },
  { clients: 100, perTick: 10, deliveries: 150_000 },
  { clients: 100, perTick: 1, deliveries: 150_000 },
];
const rounds = 5;

export const fanOut: Bench = {
  name: 'fan-out',
  question: 'Deliveries per second under a burst of 300-byte events: our server compared with a bare `ws` broadcast.',
  target: 'at least 3 times bare ws with 10 clients or more (100 events per tick)',
  run: ({ say }) => withBothSides((ours, bare) => measureAll(ours, bare, cases, say)),
};

export async function measureAll(
  ours: Side,
  bare: Side,
  wanted: readonly Case[],
  say: (progress: string) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of wanted) {
    say(`${each.clients} clients, ${each.perTick} events a tick`);
    rows.push(await measure(ours, bare, each));
  }
  return rows;
}

type Figures = { rate: number; cpu: number };

/** Both sides take turns writing the same bytes to the same number of sockets. */
async function measure(ours: Side, bare: Side, { clients, perTick, deliveries }: Case): Promise<Row> {
  const burst = { events: deliveries / clients, perTick };
  await Promise.all([ours.connect(clients), bare.connect(clients)]);
  const figures: { ours: Figures[]; bare: Figures[] } = { ours: [], bare: [] };
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const [our, peer] = [await ours.burst(burst), await bare.burst(burst)];
    if (round === 0) continue;
    // Clients that join are events too, so the numbers of ours may have a digit more.
    if (Math.abs(our.bytes / peer.bytes - 1) > 0.001)
      throw new Error(`we sent ${our.bytes} bytes and bare ws ${peer.bytes}`);
    figures.ours.push({ rate: deliveries / our.seconds, cpu: our.cpuMicroseconds / deliveries });
    figures.bare.push({ rate: deliveries / peer.seconds, cpu: peer.cpuMicroseconds / deliveries });
  }
  await Promise.all([ours.disconnect(), bare.disconnect()]);
  const of = (side: Figures[], name: keyof Figures): number[] => side.map((figure) => figure[name]);
  return {
    clients,
    'events a tick': perTick,
    'ours /s': median(of(figures.ours, 'rate')),
    'bare ws /s': median(of(figures.bare, 'rate')),
    ratio: medianRatio(of(figures.ours, 'rate'), of(figures.bare, 'rate')),
    'ours CPU µs': median(of(figures.ours, 'cpu')),
    'bare ws CPU µs': median(of(figures.bare, 'cpu')),
    'CPU ratio': medianRatio(of(figures.ours, 'cpu'), of(figures.bare, 'cpu')),
  };
}
