import { join } from 'node:path';
import type { ModelMethods } from './processes/model.js';
import { approvalRows } from './server/approval-rows.js';
import { crowdRows } from './server/crowd-rows.js';
import { Figures } from './server/figures.js';
import { firstRows } from './server/first-rows.js';
import { heapRows } from './server/heap-rows.js';
import { attemptWith, usablePeers } from './server/peers.js';
import { requestRows } from './server/request-rows.js';
import type { Run, Running } from './server/run.js';
import { isPeer, type SideName, sideNames, sides } from './server/sides.js';
import { startRows } from './server/start-rows.js';
import { turnRows } from './server/turn-rows.js';
import type { Bench } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { startHelper } from './support/helper.js';
import { freePort, startServerProcess } from './support/server-process.js';

export const server: Bench = {
  name: 'server',
  question:
    '`cosession serve`, @google/gemini-cli-a2a-server 0.25.2 (upstream), a bare loop on our own core (floor), opencode and qwen, on the same model.',
  target: 'the goal of each row',
  needs: 'the npm registry and 1 GB in the temporary folder, once; Linux for CPU time and memory',
  async run({ isQuick, say }) {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    const figures = new Figures();
    try {
      const modelUrl = await model.call('open');
      let starts = 0;
      const start = async (side: SideName, canInspect = false): Promise<Running> => {
        const { program, agent } = sides[side];
        const own = join(folder.path, `${side.replace(':', '')}-${++starts}`);
        const place = { folder: own, modelUrl, port: await freePort() };
        const process = await startServerProcess({ ...program(place), ...place, canInspect });
        return { side, process, agent: agent(process.port) };
      };
      const attempt = attemptWith(say);
      const peers = isQuick ? [] : await usablePeers(start, attempt);
      const run: Run = { start, peers, attempt, figures, rounds: isQuick ? 2 : 5, say };
      await (isQuick ? startRows({ ...run, rounds: 1 }) : startRows(run));
      await withAll(run, async (running) => {
        const once = isQuick ? { ...run, rounds: 1 } : run;
        await requestRows(running, once);
        await approvalRows(running, run);
        await firstRows(running, run);
        await turnRows(running, once);
        await crowdRows(50, running, once);
        if (isQuick) return;
        await crowdRows(10, running, run);
        // The others would need minutes.
        const few = running.filter(({ side }) => side !== 'upstream' && !isPeer(side));
        await crowdRows(200, few, run);
      });
      if (!isQuick) await heapRows(run);
    } finally {
      await model.stop();
      folder.remove();
    }
    return figures.rows();
  },
};

async function withAll(
  { start, peers, attempt, say }: Run,
  measure: (running: readonly Running[]) => Promise<void>,
): Promise<void> {
  const running: Running[] = [];
  try {
    for (const side of sideNames.filter((name) => !isPeer(name) || peers.includes(name))) {
      say(`starting ${side}`);
      await attempt(side, async () => void running.push(await start(side)));
    }
    await measure(running);
  } finally {
    await Promise.all(running.map(({ process }) => process.stop()));
  }
}
