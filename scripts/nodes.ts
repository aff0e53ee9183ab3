import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run nodes [-- 24 26] [-- --all]`: runs tests on other versions of Node, which npm has as packages. By default a part of
 * the tests that touches everything that depends on the version: the module hook, the native driver, sockets, gRPC, processes.
 */
const majors = ['20', '22', '24', '26'];
const part = [
  'test/e2e/attach-contract.test.ts',
  'test/e2e/start-again.test.ts',
  'test/e2e/one-process.test.ts',
  'test/e2e/serve-shutdown.test.ts',
  'test/e2e/serve-isolate.test.ts',
  'test/engine/patch.test.ts',
  'test/stores/sqlite.test.ts',
  'test/stores/server-lock.test.ts',
  'test/server/web-socket.test.ts',
  'test/server/http.test.ts',
  'test/auth/scopes.test.ts',
  'test/cli/config-file.test.ts',
];

const args = process.argv.slice(2);
const given = args.filter((arg) => /^\d+$/.test(arg));
const files = args.includes('--all') ? [] : part;
const folder = mkdtempSync(join(tmpdir(), 'cosession-nodes-'));
let failed = 0;
try {
  for (const major of given.length > 0 ? given : majors) {
    const node = install(major);
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
    const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...files], { stdio: 'inherit' });
    console.log(`Node ${version}: ${status === 0 ? 'passed' : 'FAILED'}`);
    if (status !== 0) failed++;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed;

/** The program of the newest release of this line. */
function install(major: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, major);
  const { status } = spawnSync('npm', ['install', '--no-fund', '--no-audit', '--prefix', place, `${name}@${major}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm has no ${name}@${major}`);
  return join(place, 'node_modules', name, 'bin', 'node');
}
