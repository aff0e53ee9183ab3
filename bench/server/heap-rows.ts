import { sayChunks } from '../support/order.js';
import type { Run } from './run.js';

const tasks = 50;

/** Live objects per task, after a garbage collection on every side. */
export async function heapRows({ start, figures, say }: Run): Promise<void> {
  for (const side of ['sqlite:', 'memory:', 'upstream'] as const) {
    say(`heap of ${side}`);
    const { agent, process } = await start(side, true);
    try {
      // The first task loads the code that all tasks share.
      await agent.createTask?.();
      await agent.turn(sayChunks(100));
      const before = (await process.memory()).live;
      for (let task = 0; task < tasks; task++) await agent.createTask?.();
      const created = (await process.memory()).live;
      for (let task = 0; task < tasks; task++) await agent.turn(sayChunks(20));
      const used = (await process.memory()).live;
      figures.add(side, 'heap per task created, MB', (created - before) / tasks);
      figures.add(side, 'heap per task after a turn, MB', (used - created) / tasks);
    } finally {
      await process.stop();
    }
  }
}
