import type { Row } from '../support/bench.js';
import { now } from '../support/clock.js';
import { type ClusterBench, cpuDuring, newTask, prompt, read, serverAt } from './parts.js';

const perSecond = 20;
const seconds = 5;

/** Sessions that all run at once, each with a reader at another server. */
export async function cpuPerMessage(bench: ClusterBench): Promise<Row[]> {
  const count = bench.isQuick ? 30 : 300;
  bench.reply(1, 0);
  const sessions: { readonly id: string; readonly server: number }[] = [];
  for (let made = 0; made < count; made += 10) {
    bench.say(`${made} of ${count} sessions are ready`);
    const indexes = Array.from({ length: 10 }, (_, index) => (made + index) % 3);
    const ids = await Promise.all(indexes.map((server) => newTask(serverAt(bench, server))));
    for (const [index, id] of ids.entries()) sessions.push({ id, server: indexes[index] ?? 0 });
  }
  const readers = await Promise.all(sessions.map(({ id, server }) => read(serverAt(bench, (server + 1) % 3), id)));
  bench.say(`${count} sessions run`);
  bench.reply(perSecond * seconds, 1000 / perSecond);
  for (const reader of readers) {
    reader.next();
    reader.count = 0;
  }
  const startedAt = now();
  const used = await cpuDuring(
    [0, 1, 2].map((index) => serverAt(bench, index).pid),
    () =>
      Promise.all([
        ...sessions.map(({ id, server }) => prompt(serverAt(bench, server), id)),
        ...readers.map(({ over }) => over),
      ]),
  );
  const messages = readers.reduce((sum, reader) => sum + reader.count, 0);
  for (const reader of readers) reader.close();
  const cpuMs = used.reduce((sum, each) => sum + each, 0);
  return [
    {
      what: `${count} running sessions, each with a stream here and a reader at another server`,
      'messages/s': Math.round(messages / ((now() - startedAt) / 1000)),
      'CPU µs per message, servers and engines': Math.round((cpuMs * 1000) / messages),
    },
  ];
}

/** Turns of one chunk, from clients that wait for each, through the balancer of one, two and three servers. */
export async function promptRate(bench: ClusterBench): Promise<Row[]> {
  const rows: Row[] = [];
  const lastsMs = bench.isQuick ? 2000 : 8000;
  for (const count of [1, 2, 3]) {
    bench.say(`prompts through a balancer of ${count}`);
    bench.reply(1, 0);
    const cluster = await bench.start(count);
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(`${cluster.balancer.base}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
      });
    const ids = await Promise.all(Array.from({ length: 24 }, () => newTask({ post })));
    const startedAt = now();
    let turns = 0;
    await Promise.all(
      ids.map(async (id) => {
        for (; now() < startedAt + lastsMs; turns++) await prompt({ post }, id);
      }),
    );
    rows.push({
      what: `turns through a balancer of ${count}`,
      'turns/s': Math.round(turns / ((now() - startedAt) / 1000)),
    });
    await cluster.stop();
  }
  return rows;
}
