import type { BareStreamMethods } from './processes/bare-stream-server.js';
import type { StreamServerMethods } from './processes/stream-server.js';
import type { Bench, Row } from './support/bench.js';
import { countMessages } from './support/grpc-stream.js';
import { startHelper } from './support/helper.js';
import { median, medianRatio } from './support/statistics.js';
import {
  exampleEvent,
  exampleMessage,
  post,
  type StreamTransport,
  streamTransports,
} from './support/stream-transports.js';

const chunks = 10_000;
const rounds = 5;

export const streams: Bench = {
  name: 'streams',
  question: `Chunks per second of one turn of ${chunks} chunks to one client, by transport, over a bare loop of server-sent events.`,
  target: 'at least 0.6 of the bare loop on each transport; the same cost per chunk for long turns as for short ones',
  async run() {
    const ours = startHelper<StreamServerMethods>(new URL('./processes/stream-server.ts', import.meta.url));
    const bare = startHelper<BareStreamMethods>(new URL('./processes/bare-stream-server.ts', import.meta.url));
    try {
      const { port, grpcPort } = await ours.call('open');
      const event = await exampleEvent(port);
      const floor = await bare.call('open', { event, message: exampleMessage(event) });
      const transports = streamTransports(port, grpcPort);
      const runs: readonly Run[] = [
        ...Object.entries(floors(floor)).map(([what, run]) => ({ what, run, server: bare })),
        ...Object.entries(transports).map(([what, run]) => ({ what, run, server: ours })),
      ];
      const figures = await measure(runs);
      const rows = runs.map(({ what }) => rowOf(what, figures));
      return [...rows, ...(await flatness(transports['JSON-RPC v1.0']))];
    } finally {
      await ours.stop();
      await bare.stop();
    }
  },
};

function floors({ port, grpcPort }: { port: number; grpcPort: number }): Record<string, StreamTransport> {
  return {
    'bare loop': (count) => post(port, `/?count=${count}`, {}, {}),
    'bare gRPC loop': async (count) => {
      const request = Buffer.from(String(count));
      await countMessages({ port: grpcPort, path: '/bare/loop', metadata: {}, request });
    },
  };
}

type Run = {
  readonly what: string;
  readonly run: StreamTransport;
  readonly server: { call(method: 'cpuMicroseconds'): Promise<number> };
};

/** Of each round. */
type Figures = { readonly rates: number[]; readonly cpu: number[] };

async function measure(runs: readonly Run[]): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>(runs.map(({ what }) => [what, { rates: [], cpu: [] }]));
  // The first round warms both servers up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const { what, run, server } of runs) {
      const before = await server.call('cpuMicroseconds');
      const rate = await rateOf(() => run(chunks), chunks);
      const cpu = ((await server.call('cpuMicroseconds')) - before) / chunks;
      if (round === 0) continue;
      figures.get(what)?.rates.push(rate);
      figures.get(what)?.cpu.push(cpu);
    }
  }
  return figures;
}

const nothing: Figures = { rates: [], cpu: [] };

function rowOf(what: string, figures: ReadonlyMap<string, Figures>): Row {
  const ours = figures.get(what) ?? nothing;
  const over = (floor: Figures = nothing): Row => ({
    'over bare': medianRatio(ours.rates, floor.rates),
    'CPU ratio': medianRatio(ours.cpu, floor.cpu),
  });
  const grpc = over(figures.get('bare gRPC loop'));
  return {
    what,
    'chunks/s': median(ours.rates),
    'CPU µs': median(ours.cpu),
    ...over(figures.get('bare loop')),
    'over bare gRPC': what === 'gRPC v1.0' ? (grpc['over bare'] ?? '') : '',
  };
}

async function rateOf(run: () => Promise<unknown>, count: number): Promise<number> {
  const startedAt = performance.now();
  await run();
  return count / ((performance.now() - startedAt) / 1000);
}

/** A turn a thousand times as long must not cost more per chunk. */
async function flatness(run: StreamTransport | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  let short = 0;
  for (const count of [100, 1000, 10_000, 100_000]) {
    const rate = await rateOf(() => run?.(count) ?? Promise.resolve(), count);
    if (count === 1000) short = rate;
    rows.push({
      what: `JSON-RPC v1.0, ${count} chunks`,
      'chunks/s': rate,
      'over bare': short === 0 ? '' : `${(rate / short).toFixed(2)} of 1000`,
    });
  }
  return rows;
}
