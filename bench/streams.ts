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
const lengths = [100, 1000, 10_000, 100_000];

export const streams: Bench = {
  name: 'streams',
  question: `Chunks per second of one turn of ${chunks} chunks to one client, by transport, compared with a bare loop of server-sent events.`,
  target: 'at least 0.6 of the bare loop on each transport; the same cost per chunk for long turns as for short ones',
  async run({ say }) {
    const ours = startHelper<StreamServerMethods>(new URL('./processes/stream-server.ts', import.meta.url));
    const bare = startHelper<BareStreamMethods>(new URL('./processes/bare-stream-server.ts', import.meta.url));
    try {
      const { port, grpcPort } = await ours.call('open');
      const event = await exampleEvent(port);
      const floor = await bare.call('open', { event, message: exampleMessage(event) });
      const transports = streamTransports(port, grpcPort);
      const runs: readonly Run[] = [
        ...Object.entries(floors(floor)).map(([what, run]) => ({ what, run, server: bare, count: chunks })),
        ...Object.entries(transports).map(([what, run]) => ({ what, run, server: ours, count: chunks })),
      ];
      const figures = await measure(runs, say);
      const rows = runs.map(({ what }) => rowOf(what, figures));
      const flat = lengths.flatMap((count) => asLong(runs, count));
      return [...rows, ...flatness(flat, await measure(flat, say))];
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
  /** Chunks per turn. */
  readonly count: number;
  readonly server: { call(method: 'cpuMicroseconds'): Promise<number> };
};

/** One value per round. */
type Figures = { readonly rates: number[]; readonly cpu: number[] };

async function measure(runs: readonly Run[], say: (progress: string) => void): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>(runs.map(({ what }) => [what, { rates: [], cpu: [] }]));
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    say(`${runs.length} streams, round ${round} of ${rounds}`);
    for (const { what, run, server, count } of runs) {
      // Run as many short turns as equal one long turn.
      const turns = Math.max(1, chunks / count);
      const before = await server.call('cpuMicroseconds');
      const startedAt = performance.now();
      for (let turn = 0; turn < turns; turn++) await run(count);
      const rate = (turns * count) / ((performance.now() - startedAt) / 1000);
      const cpu = ((await server.call('cpuMicroseconds')) - before) / (turns * count);
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
    'over bare gRPC': what.startsWith('gRPC') ? (grpc['over bare'] ?? '') : '',
  };
}

/** A turn that is a thousand times longer must not cost more per chunk. */
function asLong(runs: readonly Run[], count: number): Run[] {
  return runs
    .filter(({ what }) => what === 'JSON-RPC v1.0' || what === 'gRPC v1.0')
    .map((run) => ({ ...run, what: `${run.what}, ${count} chunks`, count }));
}

function flatness(runs: readonly Run[], figures: ReadonlyMap<string, Figures>): Row[] {
  return runs.map(({ what }) => ({ what, 'CPU µs': median((figures.get(what) ?? nothing).cpu) }));
}
