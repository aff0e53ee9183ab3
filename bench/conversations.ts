import { join } from 'node:path';
import type { ModelMethods } from './processes/model.js';
import { a2aAgent } from './server/agent.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { sayChunks } from './support/order.js';
import { cpuOf } from './support/process-figures.js';
import { cosessionServe, startServerProcess } from './support/server-process.js';
import { median } from './support/statistics.js';

/** Turns before a measurement, which takes a few more. */
const lengths = [10, 50, 100, 250];
const measured = 10;
/** Eight kilobytes. */
const reply = sayChunks(40, 0, 200);

export const conversations: Bench = {
  name: 'conversations',
  question: 'How the first text of a turn, and its CPU time, grow with the turns of 8 KB before it, with SQLite.',
  target: 'no more than the request to the model grows, which contains them all',
  async run({ say }) {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    const modelUrl = await model.call('open');
    const server = await startServerProcess({
      ...cosessionServe('--store', 'sqlite:', '--rate-limit', '0'),
      folder: join(folder.path, 'server'),
      modelUrl,
    });
    try {
      const agent = a2aAgent(server.port);
      const conversation = await agent.begin();
      const rows: Row[] = [];
      let turns = 1;
      for (const length of lengths) {
        say(`${length} turns`);
        for (; turns < length; turns++) await agent.turn(reply, conversation);
        const before = cpuOf(server.pid);
        const firsts: number[] = [];
        for (let turn = 0; turn < measured; turn++, turns++) {
          const startedAt = now();
          const { receivedAt } = await agent.turn(reply, conversation);
          firsts.push((receivedAt[0] ?? Number.NaN) - startedAt);
        }
        const cpu = (cpuOf(server.pid) - before) / measured;
        rows.push({ 'turns before': length, 'first text, ms': median(firsts), 'CPU ms a turn': cpu });
      }
      return rows;
    } finally {
      await Promise.all([server.stop(), model.stop()]);
      folder.remove();
    }
  },
};
