import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installed } from '../test/support/third-party.js';
import type { ModelMethods } from './processes/model.js';
import { createTask, jsonRpc, rateOf, runTurn, type Turn } from './support/agent-client.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { sayChunks } from './support/order.js';
import { cosessionServe, type ServerProcess, startServerProcess } from './support/server-process.js';
import { median, percentileOf } from './support/statistics.js';

const rounds = 5;
const tasks = 50;
const peerName = 'a2a-server 0.25.2';
const sides = ['sqlite:', 'memory:', peerName] as const;
type SideName = (typeof sides)[number];

/** Samples of each measure. */
type Figures = Record<Measure, number[]>;
type Measure = keyof typeof measures;

/** What is measured, and whether more of it is better. */
const measures = {
  'start to agent card, ms': 'less',
  'POST /tasks, ms': 'less',
  'new task to its first chunk, ms': 'less',
  'model to client, p50 ms': 'less',
  'model to client, p99 ms': 'less',
  'chunks/s': 'more',
  'memory when ready, MB': 'less',
  'heap per task created, MB': 'less',
  'heap per task after a turn, MB': 'less',
  'memory at 50 running turns, MB': 'less',
  '50 turns at once, p99 ms': 'less',
} as const;

export const server: Bench = {
  name: 'server',
  question: `\`cosession serve\` and @google/gemini-cli-a2a-server 0.25.2 on the same model: how many times better we are.`,
  target: 'at least 5 at the start, above 1 in every row',
  async run() {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    const figures = Object.fromEntries(sides.map((side) => [side, emptyFigures()])) as Record<SideName, Figures>;
    try {
      const modelUrl = await model.call('open');
      const start = (side: SideName, canInspect: boolean): Promise<ServerProcess> =>
        startServerProcess({ ...programs[side](), folder: join(folder.path, side), modelUrl, canInspect });
      await measureStarts(start, figures);
      const running = new Map<SideName, ServerProcess>();
      try {
        for (const side of sides) running.set(side, await start(side, true));
        await measureMemory(running, figures);
        await measureTurns(running, figures);
      } finally {
        await Promise.all([...running.values()].map((each) => each.stop()));
      }
    } finally {
      await model.stop();
      folder.remove();
    }
    return Object.entries(measures).map(([measure, better]) => rowOf(measure as Measure, better, figures));
  },
};

/** Blocks its usage statistics, which should not leave this machine and are not part of the measurement. */
const offline = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  const { lookup } = dns;
  dns.lookup = (host, ...rest) => lookup(/^(localhost|127\\.0\\.0\\.1)$/.test(host) ? host : 'offline.invalid', ...rest);
`)}`;

const programs: Readonly<Record<SideName, () => { args: readonly string[] }>> = {
  'sqlite:': () => cosessionServe('--store', 'sqlite:'),
  'memory:': () => cosessionServe('--store', 'memory:'),
  [peerName]: () => {
    const program = installed('@google/gemini-cli-a2a-server', '0.25.2', { command: 'gemini-cli-a2a-server' });
    // It checks the name it was started by.
    return { args: ['--import', offline, realpathSync(program)] };
  },
};

function emptyFigures(): Figures {
  return Object.fromEntries(Object.keys(measures).map((measure) => [measure, []])) as unknown as Figures;
}

async function measureStarts(
  start: (side: SideName, canInspect: boolean) => Promise<ServerProcess>,
  figures: Record<SideName, Figures>,
): Promise<void> {
  // The first round fills the disk cache and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const side of sides) {
      const started = await start(side, false);
      await started.stop();
      if (round > 0) figures[side]['start to agent card, ms'].push(started.startMs);
    }
  }
}

/** Memory is measured after a garbage collection on every side. */
async function measureMemory(
  running: ReadonlyMap<SideName, ServerProcess>,
  figures: Record<SideName, Figures>,
): Promise<void> {
  for (const [side, { port, memory }] of running) {
    const mine = figures[side];
    const ready = (await memory()).all;
    mine['memory when ready, MB'].push(ready);
    // The first task loads the code that all tasks share.
    await createTask(port);
    await runTurn(port, jsonRpc, sayChunks(100));
    const before = (await memory()).live;
    for (let task = 0; task < tasks; task++) {
      const startedAt = now();
      await createTask(port);
      mine['POST /tasks, ms'].push(now() - startedAt);
    }
    const created = (await memory()).live;
    mine['heap per task created, MB'].push((created - before) / tasks);
    for (let task = 0; task < tasks; task++) await runTurn(port, jsonRpc, sayChunks(20));
    mine['heap per task after a turn, MB'].push(((await memory()).live - created) / tasks);
    const turns = Array.from({ length: tasks }, () => runTurn(port, jsonRpc, sayChunks(40, 250)));
    await sleep(6000);
    mine['memory at 50 running turns, MB'].push((await memory()).all);
    const ended = await Promise.all(turns);
    mine['50 turns at once, p99 ms'].push(
      percentileOf(
        ended.flatMap(({ latencies }) => latencies),
        0.99,
      ),
    );
  }
}

async function measureTurns(
  running: ReadonlyMap<SideName, ServerProcess>,
  figures: Record<SideName, Figures>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const [side, { port }] of running) {
      const startedAt = now();
      const paced = whole(await runTurn(port, jsonRpc, sayChunks(100, 20)), 100);
      const burst = whole(await runTurn(port, jsonRpc, sayChunks(3000)), 3000);
      if (round === 0) continue;
      const mine = figures[side];
      mine['new task to its first chunk, ms'].push((paced.receivedAt[0] ?? Number.NaN) - startedAt);
      mine['model to client, p50 ms'].push(percentileOf(paced.latencies, 0.5));
      mine['model to client, p99 ms'].push(percentileOf(paced.latencies, 0.99));
      mine['chunks/s'].push(rateOf(burst));
    }
  }
}

function whole(turn: Turn, chunks: number): Turn {
  if (turn.receivedAt.length !== chunks) throw new Error(`${turn.receivedAt.length} of ${chunks} chunks arrived`);
  return turn;
}

function rowOf(what: Measure, better: 'less' | 'more', figures: Readonly<Record<SideName, Figures>>): Row {
  const values = Object.fromEntries(sides.map((side) => [side, median(figures[side][what])])) as Record<
    SideName,
    number
  >;
  const ratio = (ours: number): number => (better === 'more' ? ours / values[peerName] : values[peerName] / ours);
  return { what, ...values, 'times better': ratio(values['sqlite:']), 'with memory:': ratio(values['memory:']) };
}
