import { parseArgs } from 'node:util';
import { acp } from './acp.js';
import { bodies } from './bodies.js';
import { cluster } from './cluster.js';
import { conversations } from './conversations.js';
import { echo } from './echo.js';
import { engine } from './engine.js';
import { fanOut } from './fan-out.js';
import { latency } from './latency.js';
import { lists } from './lists.js';
import { live } from './live.js';
import { longTasks } from './long-tasks.js';
import { page } from './page.js';
import { server } from './server.js';
import { soak } from './soak.js';
import { start } from './start.js';
import { stores } from './stores.js';
import { streams } from './streams.js';
import { subscribers } from './subscribers.js';
import type { Bench } from './support/bench.js';
import { table } from './support/table.js';

const benches: readonly Bench[] = [
  fanOut,
  acp,
  streams,
  subscribers,
  latency,
  start,
  engine,
  server,
  soak,
  live,
  echo,
  stores,
  longTasks,
  lists,
  conversations,
  page,
  bodies,
  cluster,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, turns: { type: 'string' }, snapshots: { type: 'boolean' } },
});
const { json = false, snapshots = false, turns } = values;
/** `quick` alone runs the benches that a developer's change is most likely to show in. */
const isQuick = positionals.includes('quick');
const named = positionals.filter((name) => name !== 'quick');
const wanted = isQuick && named.length === 0 ? [server.name] : named;
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const names = benches.map(({ name }) => name).join(', ');
  console.error(`no bench is called ${unknown.join(', ')}; choose from ${names}, or quick`);
  process.exit(2);
}

const chosen = benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const [index, bench] of chosen.entries()) {
  const startedAt = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedAt) / 1000);
  const say = (progress: string): void =>
    console.error(`[${index + 1}/${chosen.length} ${bench.name}] ${seconds()} s: ${progress}`);
  console.log(`\n${bench.name}: ${bench.question}\nWanted: ${bench.target}.`);
  console.log(bench.needs === undefined ? '' : `Needs: ${bench.needs}.\n`);
  say('begins');
  const rows = await bench.run({ snapshots, isQuick, say, ...(turns === undefined ? {} : { turns: Number(turns) }) });
  console.log(`${table(rows)}\n(${seconds()} s)`);
  if (json) console.log(JSON.stringify({ bench: bench.name, node: process.version, rows }));
}
// A peer that does not end must not keep the bench.
process.exit();
