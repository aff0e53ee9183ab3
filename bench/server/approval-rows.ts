import { alternate } from './alternate.js';
import type { Run, Running } from './run.js';

const perRound = 8;

/** A tool that asks: how soon the question is there, and how soon the answer takes effect. */
export async function approvalRows(running: readonly Running[], run: Run): Promise<void> {
  const asking = running.filter(({ agent }) => agent.approve);
  await alternate('approvals', perRound, asking, run, {
    prepare: ({ agent }) => agent.begin(),
    async sample({ side, agent }, conversation, isCounted) {
      const measured = await agent.approve?.(conversation);
      if (!isCounted || !measured) return;
      const { questionMs, executingMs } = measured;
      run.figures.add(side, 'tool call to question, ms', questionMs);
      if (executingMs !== undefined) run.figures.add(side, 'approve to EXECUTING, ms', executingMs);
    },
  });
}
