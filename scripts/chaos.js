// Kills the server 200 times while it works: `npm run chaos [-- rounds [seed]]`. A round is 20 kills.
import { spawnSync } from 'node:child_process';

const [rounds = '10', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/e2e/chaos.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, CHAOS_ROUNDS: rounds, CHAOS_SEED: seed },
});
process.exit(status ?? 1);
