import type { ModelMethods } from './processes/model.js';
import { createTask, type Route, runTurn } from './support/agent-client.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { runCommand } from './support/order.js';
import { cosessionServe, type ServerProcess, startServerProcess } from './support/server-process.js';

const turns = 1000;
const turnsPerTask = 10;
const atOnce = 4;
const every = 100;
/** How much live objects may grow after the second hundred turns, when everything is warm. */
const allowedMb = 10;

export const soak: Bench = {
  name: 'soak',
  question: `${turns} turns with a tool each, ${turnsPerTask} in a task, 20 tasks in memory at most: does the server grow?`,
  target: `live objects grow by less than ${allowedMb} MB from turn ${2 * every} on, or it fails`,
  async run() {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    let server: ServerProcess | undefined;
    try {
      const modelUrl = await model.call('open');
      const { args } = cosessionServe('--allow-tool', 'run_shell_command', '--max-loaded', '20');
      server = await startServerProcess({ args, folder: folder.path, modelUrl, canInspect: true });
      const rows: Row[] = [];
      for (let done = 0; done < turns; done += every) rows.push(await runHundred(server, done));
      checkGrowth(rows.map((row) => Number(row['heap MB'])));
      return rows;
    } finally {
      await server?.stop();
      await model.stop();
      folder.remove();
    }
  },
};

async function runHundred({ port, memory }: ServerProcess, done: number): Promise<Row> {
  const startedAt = now();
  const waiting = Array.from({ length: every / turnsPerTask }, (_, index) => `soak-${done}-${index}`);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) await runTask(port, task);
    }),
  );
  const seconds = (now() - startedAt) / 1000;
  const { heap, all } = await memory();
  return { turns: done + every, 'heap MB': heap, 'process MB': all, 'turns/s': every / seconds };
}

async function runTask(port: number, task: string): Promise<void> {
  await createTask(port, task);
  const route: Route = {
    path: `/tasks/${task}/messages/stream`,
    body: (prompt) => ({ message: { content: { text: prompt } } }),
  };
  for (let turn = 0; turn < turnsPerTask; turn++) {
    const { text } = await runTurn(port, route, runCommand(`echo ${task} ${turn}`));
    if (!text.includes('Done, all of it.')) throw new Error(`turn ${turn} of ${task} ended unexpectedly: ${text}`);
  }
}

function checkGrowth(heaps: readonly number[]): void {
  const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[1] ?? Number.NaN);
  if (!(growth < allowedMb)) throw new Error(`the server has grown by ${growth.toFixed(1)} MB: ${heaps.join(', ')}`);
}
