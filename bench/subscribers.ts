import type { StreamServerMethods } from './processes/stream-server.js';
import type { Bench, Row } from './support/bench.js';
import { type Helper, startHelper } from './support/helper.js';
import { percentileOf } from './support/statistics.js';
import { type Subscription, subscribe } from './support/subscription.js';

const crowd = 1000;
const chunks = 500;
/** How many streams are opened at a time. */
const atOnce = 50;
const megabyte = 1024 * 1024;

export const subscribers: Bench = {
  name: 'subscribers',
  question: `A2A streams (JSON-RPC v1.0) on one running turn: ${crowd} of them, one that stops reading, one event every 5 ms.`,
  target: 'all of them get everything; a reader that stops costs less than 8 MB; added latency as on /ws',
  async run() {
    const server = startHelper<StreamServerMethods>(new URL('./processes/stream-server.ts', import.meta.url));
    try {
      const { port } = await server.call('open');
      return [...(await many(server, port)), await stalled(server, port), await latency(server, port)];
    } finally {
      await server.stop();
    }
  },
};

type Server = Helper<StreamServerMethods>;

async function many(server: Server, port: number): Promise<Row[]> {
  const taskId = await server.call('hold');
  const before = await server.call('memory');
  const streams: Subscription[] = [];
  while (streams.length < crowd)
    streams.push(...(await Promise.all(Array.from({ length: atOnce }, () => subscribe(port, taskId)))));
  const open = await server.call('memory');
  const startedAt = performance.now();
  await server.call('say', { chunks });
  await server.call('end');
  await Promise.all(streams.map(({ ended }) => ended));
  const seconds = (performance.now() - startedAt) / 1000;
  // The task, the chunks and the end.
  const complete = streams.filter(({ events }) => events === chunks + 2).length;
  return [
    { what: `streams of ${crowd} that got all ${chunks} chunks`, figure: complete },
    { what: 'chunks delivered per second', figure: (crowd * chunks) / seconds },
    { what: 'memory of an open stream, KB', figure: (open - before) / crowd / 1024 },
  ];
}

/** Sends 80 MB to a reader that has stopped. */
async function stalled(server: Server, port: number): Promise<Row> {
  const taskId = await server.call('hold');
  await server.call('say', { chunks: 13_000 });
  const { response, ended } = await subscribe(port, taskId);
  response.pause();
  const before = await server.call('memory');
  await server.call('say', { chunks: 40_000, text: 'x'.repeat(2000) });
  const growth = (await server.call('memory')) - before;
  response.destroy();
  await ended;
  await server.call('end');
  return { what: 'cost of a reader that stops, 80 MB offered, MB', figure: growth / megabyte };
}

async function latency(server: Server, port: number): Promise<Row> {
  const taskId = await server.call('hold');
  const { reads, ended } = await subscribe(port, taskId);
  const reportedAt = await server.call('pace', { events: 500, everyMs: 5 });
  await server.call('end');
  await ended;
  // Event 0 is the task.
  const received = reportedAt.map((_at, index) => reads.find(({ events }) => events >= index + 2)?.at ?? Number.NaN);
  const delays = reportedAt.map((at, index) => (received[index] ?? Number.NaN) - at);
  const figures = [0.5, 0.99].map((share) => percentileOf(delays, share).toFixed(2));
  return { what: 'one chunk every 5 ms, report to receipt, p50 / p99 ms', figure: figures.join(' / ') };
}
