import type { Row } from '../support/bench.js';
import { now } from '../support/clock.js';
import { median } from '../support/statistics.js';
import { type ClusterBench, newTask, prompt, serverAt } from './parts.js';

/** From the signal to an accepted prompt at another server, whose clients only wait. Each time the newest server is hurt. */
export async function failOver(bench: ClusterBench): Promise<Row[]> {
  const rows: Row[] = [];
  const rounds = bench.isQuick ? 1 : 3;
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const times: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      bench.say(`${signal}, round ${round} of ${rounds}`);
      const victim = await bench.servers.add();
      bench.reply(1, 0);
      const id = await newTask(victim);
      const edge = serverAt(bench, 0);
      const watcher = await bench.servers.watch(edge, `taskId=${id}&protocol=endpoint`);
      await leaseOf(victim.base);
      const startedAt = now();
      victim.kill(signal);
      await victim.exit;
      await watcher.prompt('are you there?');
      times.push(now() - startedAt);
      await prompt(edge, id);
      watcher.close();
    }
    rows.push({ what: `${signal} to an accepted prompt, ms`, p50: median(times), worst: Math.max(...times) });
  }
  return rows;
}

/** The others must have heard a server for a lease before they may find it gone. */
async function leaseOf(base: string): Promise<void> {
  const until = now() + 7000;
  while (now() < until) {
    await (await fetch(`${base}/health`)).text();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
