import { type Conversation, rateOf, type Turn } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { figuresOfTree } from '../support/process-figures.js';
import { percentileOf } from '../support/statistics.js';
import type { Run, Running } from './run.js';

const paced = { chunks: 100, everyMs: 20 };
const burst = 3000;
/** One sample varies by milliseconds. */
const firsts = 5;

/** One turn at a time: how soon it begins, how late each piece is, how fast it can go. The servers take turns. */
export async function turnRows(running: readonly Running[], run: Run): Promise<void> {
  const conversations = new Map<Running, Conversation>();
  for (const each of running) {
    await run.attempt(each.side, async () => void conversations.set(each, await each.agent.begin()));
  }
  for (let round = 0; round <= run.rounds; round++) {
    run.say(`turns, round ${round} of ${run.rounds}`);
    // The first round warms up.
    const figures = round === 0 ? undefined : run.figures;
    for (const [each, conversation] of conversations) {
      const { side, agent, process } = each;
      await run.attempt(side, async () => {
        for (let sample = 0; sample < firsts; sample++) {
          figures?.add(side, 'new task to its first text, ms', await firstText(each));
          figures?.add(side, 'next turn to its first text, ms', await firstText(each, conversation));
        }
        const { latencies } = whole(await agent.turn(sayChunks(paced.chunks, paced.everyMs)), paced.chunks);
        figures?.add(side, 'model to client, p50 ms', percentileOf(latencies, 0.5));
        figures?.add(side, 'model to client, p99 ms', percentileOf(latencies, 0.99));
        for (const characters of [20, 200] as const) {
          const before = figuresOfTree(process.pid).cpuMs;
          const turn = whole(await agent.turn(sayChunks(burst, 0, characters)), burst);
          figures?.add(side, `chunks/s, ${characters} characters`, rateOf(turn));
          const cpu = ((figuresOfTree(process.pid).cpuMs - before) * 1000) / burst;
          figures?.add(side, `CPU µs per chunk, ${characters} characters`, cpu);
        }
      });
    }
  }
}

async function firstText({ agent }: Running, conversation?: Conversation): Promise<number> {
  const startedAt = now();
  const { receivedAt } = whole(await agent.turn(sayChunks(2), conversation), 2);
  return (receivedAt[0] ?? Number.NaN) - startedAt;
}

function whole(turn: Turn, chunks: number): Turn {
  if (turn.receivedAt.length !== chunks) throw new Error(`${turn.receivedAt.length} of ${chunks} chunks arrived`);
  return turn;
}
