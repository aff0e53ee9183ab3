import type { Row } from '../support/bench.js';
import { now } from '../support/clock.js';
import { percentileOf } from '../support/statistics.js';
import { type ClusterBench, cpuDuring, newTask, prompt, read, serverAt } from './parts.js';

/** The same event at a reader of the server that runs the task, and at one of another server. */
export async function addedLatency(bench: ClusterBench): Promise<Row[]> {
  const [owner, other] = [serverAt(bench, 0), serverAt(bench, 1)];
  bench.reply(1, 0);
  const id = await newTask(owner);
  const [here, there] = [new Map<number, number>(), new Map<number, number>()];
  const note = (at: Map<number, number>) => (data: Buffer) => {
    const seq = Number(/"seq":(\d+)/.exec(data.toString())?.[1]);
    if (!at.has(seq)) at.set(seq, now());
  };
  const readers = [await read(owner, id, note(here)), await read(other, id, note(there))];
  const added: number[] = [];
  const rounds = bench.isQuick ? 1 : 4;
  for (let round = 0; round <= rounds; round++) {
    bench.say(`latency, round ${round} of ${rounds}`);
    bench.reply(300, 5);
    here.clear();
    there.clear();
    for (const reader of readers) reader.next();
    await Promise.all([prompt(owner, id), ...readers.map(({ over }) => over)]);
    // The first round is a warm-up and is not counted.
    if (round > 0) for (const [seq, at] of there) added.push(at - (here.get(seq) ?? at));
  }
  for (const reader of readers) reader.close();
  return [
    {
      what: 'an event at another server, ms after its own',
      p50: percentileOf(added, 0.5),
      p99: percentileOf(added, 0.99),
    },
  ];
}

/** A thousand readers of one task: a third on each server, and all on the one that runs it. */
export async function fanOut(bench: ClusterBench): Promise<Row[]> {
  const count = bench.isQuick ? 90 : 999;
  const rows: Row[] = [];
  for (const spread of [3, 1]) {
    const where = spread === 1 ? 'all at its server' : 'a third at each server';
    bench.say(`${count} readers, ${where}`);
    bench.reply(1, 0);
    const id = await newTask(serverAt(bench, 0));
    const readers = await Promise.all(
      Array.from({ length: count }, (_, index) => read(serverAt(bench, index % spread), id)),
    );
    bench.reply(bench.isQuick ? 100 : 600, 0);
    for (const reader of readers) {
      reader.next();
      reader.count = 0;
    }
    const startedAt = now();
    const pids = [0, 1, 2].map((index) => serverAt(bench, index).pid);
    const [own = 0, ...others] = await cpuDuring(pids, () =>
      Promise.all([prompt(serverAt(bench, 0), id), ...readers.map(({ over }) => over)]),
    );
    const messages = readers.reduce((sum, reader) => sum + reader.count, 0);
    rows.push({
      what: `${count} readers, ${where}`,
      'deliveries/s': Math.round(messages / ((now() - startedAt) / 1000)),
      'CPU ms of its server': own,
      'CPU ms of each other': others.reduce((sum, each) => sum + each, 0) / others.length,
    });
    for (const reader of readers) reader.close();
  }
  return rows;
}
