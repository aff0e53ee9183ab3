import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { figuresOfTree } from '../support/process-figures.js';
import { percentileOf } from '../support/statistics.js';
import { alternate } from './alternate.js';
import type { Run, Running } from './run.js';

const chunks = 24;
const everyMs = 250;

/** New tasks that all begin at once: how late each piece is, from the first to the last. */
export async function crowdRows(tasks: 10 | 50 | 200, running: readonly Running[], run: Run): Promise<void> {
  await alternate(`${tasks} tasks at once`, 1, running, run, {
    prepare: async () => undefined,
    async sample(each, _, isCounted) {
      const { side, process } = each;
      const [startedAt, before] = [now(), figuresOfTree(process.pid).cpuMs];
      const { turns, residentMb } = await crowd(tasks, each);
      const latencies = turns.flatMap((turn) => turn.latencies);
      const cores = (figuresOfTree(process.pid).cpuMs - before) / (now() - startedAt);
      if (latencies.length !== tasks * chunks)
        throw new Error(`${side}: ${latencies.length} of ${tasks * chunks} chunks arrived`);
      if (!isCounted) return;
      run.figures.add(side, `${tasks} tasks at once, p50 ms`, percentileOf(latencies, 0.5));
      run.figures.add(side, `${tasks} tasks at once, p99 ms`, percentileOf(latencies, 0.99));
      if (tasks === 50) run.figures.add(side, 'memory at 50 running tasks, on a server that was busy, MB', residentMb);
      if (tasks === 200) run.figures.add(side, '200 tasks at once, cores used', cores);
    },
  });
}

/** With the memory in the middle of it. */
export async function crowd(
  tasks: number,
  { agent, process }: Running,
): Promise<{ turns: readonly Turn[]; residentMb: number }> {
  const [turns, residentMb] = await Promise.all([
    Promise.all(Array.from({ length: tasks }, () => agent.turn(sayChunks(chunks, everyMs)))),
    sleep((chunks * everyMs) / 2).then(() => figuresOfTree(process.pid).residentMb),
  ]);
  return { turns, residentMb };
}
