import { type Conversation, whole } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { alternate } from './alternate.js';
import type { Run, Running } from './run.js';

const perRound = 12;

/** How soon a turn begins: the first one of a task, and one in a conversation. */
export async function firstRows(running: readonly Running[], run: Run): Promise<void> {
  await alternate('first texts', perRound, running, run, {
    prepare: ({ agent }) => agent.begin(),
    async sample(each, conversation, isCounted) {
      const ofNew = await firstText(each);
      const ofNext = await firstText(each, conversation);
      if (!isCounted) return;
      run.figures.add(each.side, 'new task to its first text, ms', ofNew);
      run.figures.add(each.side, 'next turn to its first text, ms', ofNext);
    },
  });
}

async function firstText({ agent }: Running, conversation?: Conversation): Promise<number> {
  const startedAt = now();
  const { receivedAt } = whole(await agent.turn(sayChunks(2), conversation), 2);
  return (receivedAt[0] ?? Number.NaN) - startedAt;
}
