import type { Run, Running } from './run.js';

const perRound = 4;

/** A tool that asks: how soon the question is there, and how soon the answer takes effect. */
export async function approvalRows(running: readonly Running[], { attempt, figures, rounds, say }: Run): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    say(`approvals, round ${round} of ${rounds}`);
    for (const { side, agent } of running) {
      const { approve } = agent;
      if (!approve) continue;
      await attempt(side, async () => {
        const conversation = await agent.begin();
        for (let sample = 0; sample < perRound; sample++) {
          const { questionMs, executingMs } = await approve(conversation);
          if (round === 0) continue;
          figures.add(side, 'tool call to question, ms', questionMs);
          if (executingMs !== undefined) figures.add(side, 'approve to EXECUTING, ms', executingMs);
        }
      });
    }
  }
}
