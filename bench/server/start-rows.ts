import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { figuresOfTree } from '../support/process-figures.js';
import { crowd } from './crowd-rows.js';
import type { Running, Run } from './run.js';

/** Starts each server afresh, uses it once, then with many tasks, and stops it. */
export async function startRows({ start, peers, attempt, figures, rounds, say }: Run): Promise<void> {
  // The first round fills the caches, of the disk and of compiled code, and is not counted. The floor is not built, so its start says nothing.
  for (let round = 0; round <= rounds; round++) {
    say(`starts, round ${round} of ${rounds}`);
    for (const side of ['sqlite:', 'memory:', 'upstream', ...peers] as const) {
      await attempt(side, async () => {
        const startedAt = now();
        const running = await start(side);
        try {
          const ready = figuresOfTree(running.process.pid).residentMb;
          const firstText = (await firstTextAt(running)) - startedAt;
          const used = figuresOfTree(running.process.pid).residentMb;
          if (round === 0) return;
          figures.add(side, 'start to agent card, ms', running.process.startMs);
          figures.add(side, 'start to first text, ms', firstText);
          figures.add(side, 'memory when ready, MB', ready);
          figures.add(side, 'memory after a task, MB', used);
          figures.add(side, 'memory at 50 running tasks, MB', (await crowd(50, running)).residentMb);
        } finally {
          await running.process.stop();
        }
      });
    }
  }
}

async function firstTextAt({ agent }: Running): Promise<number> {
  return (await agent.turn(sayChunks(20))).receivedAt[0] ?? Number.NaN;
}
