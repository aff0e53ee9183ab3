import type { Run, Running } from './run.js';

const perRound = 4;

/** A tool that asks: how soon the question is there, and how soon the answer takes effect. */
export async function approvalRows(running: readonly Running[], { figures, rounds, say }: Run): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    say(`approvals, round ${round} of ${rounds}`);
    for (const { side, agent } of running) {
      if (!agent.approve) continue;
      const conversation = await agent.begin();
      for (let sample = 0; sample < perRound; sample++) {
        const { questionMs, executingMs } = await agent.approve(conversation);
        if (round === 0) continue;
        figures.add(side, 'tool call to question, ms', questionMs);
        figures.add(side, 'approve to EXECUTING, ms', executingMs);
      }
    }
  }
}
