import { parseArgs } from 'node:util';
import { acp } from './acp.js';
import { bodies } from './bodies.js';
import { echo } from './echo.js';
import { engine } from './engine.js';
import { fanOut } from './fan-out.js';
import { latency } from './latency.js';
import { live } from './live.js';
import { longTasks } from './long-tasks.js';
import { page } from './page.js';
import { server } from './server.js';
import { soak } from './soak.js';
import { start } from './start.js';
import { stores } from './stores.js';
import { streams } from './streams.js';
import { subscribers } from './subscribers.js';
import type { Bench, BenchOptions } from './support/bench.js';
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
  page,
  bodies,
];

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, turns: { type: 'string' }, snapshots: { type: 'boolean' } },
});
const { json = false, snapshots = false, turns } = values;
const options: BenchOptions = { snapshots, ...(turns === undefined ? {} : { turns: Number(turns) }) };
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; choose from ${benches.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`\n${bench.name}: ${bench.question}\nWanted: ${bench.target}.\n`);
  const startedAt = Date.now();
  const rows = await bench.run(options);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`${table(rows)}\n(${seconds} s)`);
  if (json) console.log(JSON.stringify({ bench: bench.name, node: process.version, rows }));
}
