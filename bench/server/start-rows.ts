import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { residentOf } from '../support/process-figures.js';
import type { Running, Run } from './run.js';

/** Starts each server afresh, uses it once and stops it. */
export async function startRows({ start, figures, rounds, say }: Run): Promise<void> {
  // The first round fills the disk cache and is not counted. The floor is not built, so its start says nothing.
  for (let round = 0; round <= rounds; round++) {
    say(`starts, round ${round} of ${rounds}`);
    for (const side of ['sqlite:', 'memory:', 'upstream'] as const) {
      const startedAt = now();
      const running = await start(side);
      const ready = residentOf(running.process.pid);
      const firstText = (await firstTextAt(running)) - startedAt;
      const used = residentOf(running.process.pid);
      await running.process.stop();
      if (round === 0) continue;
      figures.add(side, 'start to agent card, ms', running.process.startMs);
      figures.add(side, 'start to first text, ms', firstText);
      figures.add(side, 'memory when ready, MB', ready);
      figures.add(side, 'memory after a task, MB', used);
    }
  }
}

async function firstTextAt({ agent }: Running): Promise<number> {
  return (await agent.turn(sayChunks(20))).receivedAt[0] ?? Number.NaN;
}
