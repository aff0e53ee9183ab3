import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { patienceMs } from '../support/until.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const home = join(folder, 'home');
const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--ignore-scripts'];
let env: NodeJS.ProcessEnv;
let tarball: string;

/** Packs what is built. The home is empty; npm keeps its cache and settings, or every run would load 100 MB. */
beforeAll(async () => {
  mkdirSync(home);
  // Without it npm would look for the project in the folders above.
  writeFileSync(join(folder, 'package.json'), '{}');
  const config = async (key: string): Promise<string> => (await run('npm', ['config', 'get', key])).stdout.trim();
  const [cache, userconfig] = await Promise.all([config('cache'), config('userconfig')]);
  env = { ...process.env, HOME: home, npm_config_cache: cache, npm_config_userconfig: userconfig };
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
}, patienceMs);

/** What npx installed stays in npm's cache: 130 MB for each run. */
afterAll(() => {
  const place = join(env['npm_config_cache'] ?? '', '_npx');
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const manifest = join(place, name, 'package.json');
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(basename(folder)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
});

const versions = /^cosession \d+\.\d+\.\d+\ngemini-cli \d+\.\d+\.\d+\n$/;

test('npm install -g of the tarball gives a command, its documentation and its man page; npx runs it', async () => {
  const prefix = join(folder, 'prefix');
  await run('npm', ['install', '-g', '--prefix', prefix, ...quiet, tarball], { env });
  const program = join(prefix, 'bin', 'cosession');
  expect((await run(program, ['--version'], { env })).stdout).toMatch(versions);
  const help = (await run(program, ['--help'], { env })).stdout;
  const index = /^ {2}(\/.*README\.md)$/m.exec(help)?.[1] ?? '';
  expect(readFileSync(index, 'utf8')).toContain('scripts.md');
  // Where `man cosession` looks for it.
  expect(statSync(join(prefix, 'share/man/man1/cosession.1')).size).toBeGreaterThan(1000);
  expect((await run(program, ['ls'], { env })).stdout).toContain('No live sessions');

  const npx = await run('npx', ['--yes', ...quiet, `./${basename(tarball)}`, '--version'], { env, cwd: folder });
  expect(npx.stdout).toMatch(versions);
});

test('@cosession/client is small, depends on nothing, and has the version of Cosession', async () => {
  await run(process.execPath, ['scripts/build-client.js']);
  const place = resolve('packages/client');
  const own = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    version: string;
    dependencies?: object;
  };
  const whole = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([own.version, own.dependencies]).toEqual([whole.version, undefined]);
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  const packed = await run('npm', ['pack', place, '--loglevel=error', '--pack-destination', folder]);
  await run('npm', ['install', ...quiet, join(folder, packed.stdout.trim())], { env, cwd: app });
  expect(readdirSync(join(app, 'node_modules'), { recursive: true }).join('\n')).not.toMatch(/gemini|libsql/);
  const bytes = readdirSync(join(app, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  expect(bytes).toBeLessThan(400_000);
  const script =
    "import { connect } from '@cosession/client'; await connect({ port: 1 }).catch((e) => console.log(e.code));";
  const used = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: app });
  expect(used.stdout).toBe('cannot-connect\n');
});

test('the bundle has no tables of charsets and media types, and the server of a live session stays small', () => {
  const chunks = readdirSync('dist/chunks').map((name) => readFileSync(join('dist/chunks', name), 'utf8'));
  const tables = chunks.filter((text) => /"node_modules\/(iconv-lite|mime-db)\//.test(text));
  expect(tables).toHaveLength(0);
  const express = chunks.find((text) => text.includes('"node_modules/express/')) ?? '';
  expect(express.length).toBeGreaterThan(0);
  expect(express.length).toBeLessThan(600_000);
});
