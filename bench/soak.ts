import type { ModelMethods } from './processes/model.js';
import { SoakLoad } from './soak/load.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { grown, type Kind, kindsIn } from './support/heap-kinds.js';
import { startHelper } from './support/helper.js';
import { cpuOf, memoryOf } from './support/process-figures.js';
import { cosessionServe, type ServerProcess, startServerProcess } from './support/server-process.js';
import { table } from './support/table.js';

const maxLoaded = 20;
/** Between two looks at the memory. */
const steps = 20;
/** After which steps garbage is collected: when all is warm, in the middle, and at the end. */
const looksAfter: readonly number[] = [2, 10, steps];
/** Live objects that may be more at the end than when all was warm. */
const allowedMb = 5;

export const soak: Bench = {
  name: 'soak',
  question: `--turns (default 1,000) of every kind, in tasks of which ${maxLoaded} may be in memory: does the server grow? --snapshots says by what`,
  target: `live objects grow by less than ${allowedMb} MB once all is warm, or it fails`,
  async run({ turns = 1000, snapshots }) {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    let server: ServerProcess | undefined;
    try {
      const modelUrl = await model.call('open');
      const { args } = cosessionServe('--max-loaded', String(maxLoaded), '--rate-limit', '0');
      server = await startServerProcess({ args, folder: folder.path, modelUrl, canInspect: true });
      const load = new SoakLoad(server.port, 1);
      return await soakServer(server, load, Math.ceil(turns / steps), snapshots ? [] : undefined);
    } finally {
      await server?.stop();
      await model.stop();
      folder.remove();
    }
  },
};

async function soakServer(
  server: ServerProcess,
  load: SoakLoad,
  turnsPerStep: number,
  snapshots: ReadonlyMap<string, Kind>[] | undefined,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let step = 1; step <= steps; step++) {
    const [startedAt, cpu] = [now(), cpuOf(server.pid)];
    await load.run(turnsPerStep);
    const row: Row = {
      turns: step * turnsPerStep,
      'turns/s': turnsPerStep / ((now() - startedAt) / 1000),
      'CPU ms a turn': (cpuOf(server.pid) - cpu) / turnsPerStep,
      'process MB': memoryOf(server.pid),
    };
    rows.push(looksAfter.includes(step) ? { ...row, ...(await look(server, load)) } : row);
    console.log(table(rows.slice(-1)).split('\n').at(-1));
    if (looksAfter.includes(step)) snapshots?.push(kindsIn(await server.heapSnapshot()));
  }
  console.log(`\n${table([...load.tally].map(([what, times]) => ({ what, times })))}\n`);
  if (snapshots) console.log(`${table(grown(snapshots))}\n`);
  checkGrowth(rows.flatMap((row) => (row['live MB'] === undefined ? [] : [Number(row['live MB'])])));
  return rows;
}

async function look(server: ServerProcess, load: SoakLoad): Promise<Row> {
  await load.rest(maxLoaded);
  const { live, reserved, external, all } = await server.memory();
  const rest = all - reserved - external;
  return { 'live MB': live, 'heap MB': reserved, 'external MB': external, 'rest MB': rest };
}

function checkGrowth(heaps: readonly number[]): void {
  const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
  if (!(growth < allowedMb)) throw new Error(`the server has grown by ${growth.toFixed(1)} MB: ${heaps.join(', ')}`);
}
