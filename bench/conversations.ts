import { join } from 'node:path';
import type { ModelMethods } from './processes/model.js';
import { type Agent, a2aAgent } from './server/agent.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { runCommand, sayChunks, timePlace } from './support/order.js';
import { cpuOf } from './support/process-figures.js';
import { cosessionServe, startServerProcess } from './support/server-process.js';
import { median } from './support/statistics.js';

/** Turns before a measurement, which takes a few more. */
const lengths = [10, 50, 100, 250];
const measured = 10;
/** Eight kilobytes each. */
const reply = sayChunks(40, 0, 200);
const command = runCommand(`touch '${timePlace}'; head -c 6000 /dev/urandom | base64`);

export const conversations: Bench = {
  name: 'conversations',
  question:
    'How a turn grows with the turns of 8 KB before it, with SQLite: replies of the model, and outputs of commands that are asked about.',
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
      const kinds = [await replies(agent), await commands(agent)];
      const rows: Row[] = [];
      // Each conversation has begun with one turn.
      let turns = 1;
      for (const length of lengths) {
        say(`${length} turns`);
        let row: Row = { 'turns before': length };
        for (const { waits, costs, turn } of kinds) {
          for (let count = turns; count < length; count++) await turn();
          const before = cpuOf(server.pid);
          const times: number[] = [];
          for (let count = 0; count < measured; count++) times.push(await turn());
          row = { ...row, [waits]: median(times), [costs]: (cpuOf(server.pid) - before) / measured };
        }
        rows.push(row);
        turns = length + measured;
      }
      return rows;
    } finally {
      await Promise.all([server.stop(), model.stop()]);
      folder.remove();
    }
  },
};

/** A conversation of one kind. Its turns tell how long somebody waited. */
type Kind = { readonly waits: string; readonly costs: string; readonly turn: () => Promise<number> };

async function replies(agent: Agent): Promise<Kind> {
  const conversation = await agent.begin();
  return {
    waits: 'first text, ms',
    costs: 'CPU ms a turn',
    async turn() {
      const startedAt = now();
      const { receivedAt } = await agent.turn(reply, conversation);
      return (receivedAt[0] ?? Number.NaN) - startedAt;
    },
  };
}

async function commands(agent: Agent): Promise<Kind> {
  const conversation = await agent.begin();
  return {
    waits: 'question about a command, ms',
    costs: 'CPU ms a command',
    turn: async () => (await agent.approve?.(conversation, command))?.questionMs ?? Number.NaN,
  };
}
