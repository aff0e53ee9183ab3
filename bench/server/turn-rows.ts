import { rateOf, whole } from '../support/agent-client.js';
import { sayChunks } from '../support/order.js';
import { figuresOfTree } from '../support/process-figures.js';
import { percentileOf } from '../support/statistics.js';
import { alternate } from './alternate.js';
import type { Run, Running } from './run.js';

const paced = { chunks: 100, everyMs: 20 };
/** The p99 of a turn is its second slowest piece, which may be anything: it takes many turns. A quick run has one. */
const pacedPerRound = 3;
const burst = 3000;

/** One turn at a time: how late each piece is, how fast it can go. */
export async function turnRows(running: readonly Running[], run: Run): Promise<void> {
  await alternate('paced turns', Math.min(pacedPerRound, run.rounds), running, run, {
    prepare: async () => undefined,
    async sample({ side, agent }, _, isCounted) {
      const { latencies } = whole(await agent.turn(sayChunks(paced.chunks, paced.everyMs)), paced.chunks);
      if (!isCounted) return;
      run.figures.add(side, 'model to client, p50 ms', percentileOf(latencies, 0.5));
      run.figures.add(side, 'model to client, p99 ms', percentileOf(latencies, 0.99));
    },
  });
  await alternate('bursts', 1, running, run, {
    prepare: async () => undefined,
    async sample({ side, agent, process }, _, isCounted) {
      const figures = isCounted ? run.figures : undefined;
      for (const characters of [20, 200] as const) {
        const before = figuresOfTree(process.pid).cpuMs;
        const turn = whole(await agent.turn(sayChunks(burst, 0, characters)), burst);
        figures?.add(side, `chunks/s, ${characters} characters`, rateOf(turn));
        const cpu = ((figuresOfTree(process.pid).cpuMs - before) * 1000) / burst;
        figures?.add(side, `CPU µs per chunk, ${characters} characters`, cpu);
      }
    },
  });
}
