import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedNode24 } from './third-party.js';
import { patienceMs } from './until.js';

const run = promisify(execFile);
const quiet = [
  '--ignore-scripts',
  '--no-engine-strict',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
];

/** A folder outside of the repository with these packages. It stays, so that only the first run of a machine installs. */
export async function installed(packages: readonly string[]): Promise<string> {
  const key = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `cosession-client-${key}`);
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(join(tmpdir(), 'cosession-client-new-'));
  const install = () => run('npm', ['install', ...quiet, '--prefix', fresh, ...packages], { timeout: patienceMs });
  // Once more, because a registry may fail for a moment.
  await install().catch(install);
  // Whole or not at all: another test may look for it at the same time.
  if (existsSync(folder)) rmSync(fresh, { recursive: true, force: true });
  else renameSync(fresh, folder);
  return folder;
}

/** Runs a script (an ES module) in a process of its own, in that folder; its last line is JSON. */
export function runScript(folder: string, script: string, ...args: readonly string[]): Promise<unknown> {
  return runNode(folder, ['--input-type=module', '-e', script, ...args]);
}

/** The same, with a token in every request that the script sends. */
export function runScriptAs(
  token: string,
  folder: string,
  script: string,
  ...args: readonly string[]
): Promise<unknown> {
  const before = `
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
      headers.set('authorization', ${JSON.stringify(`Bearer ${token}`)});
      return fetch(input, { ...init, headers });
    };`;
  const preload = `data:text/javascript,${encodeURIComponent(before)}`;
  return runNode(folder, ['--import', preload, '--input-type=module', '-e', script, ...args]);
}

async function runNode(folder: string, args: readonly string[]): Promise<unknown> {
  const program = folder === '.' ? nodeForCore() : process.execPath;
  const { stdout } = await run(program, args, { cwd: folder, timeout: patienceMs });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as unknown;
}

/**
 * For programs made of core, such as qwen. Core gives Node's `fetch` an HTTP client of its own, an older one, from which that of
 * Node 26 gets no headers at all.
 */
export function nodeForCore(): string {
  return Number.parseInt(process.versions.node) < 26 ? process.execPath : installedNode24();
}
