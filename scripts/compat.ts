// npm run compat -- <release> …: installs each Gemini CLI release and checks that attaching to it works as promised.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachChecks, type CheckResult, runAttachContract } from '../test/support/attach-contract.js';

type Tried = { readonly release: string; readonly results: readonly CheckResult[] };

const releases = process.argv.slice(2);
if (releases.length === 0 || !releases.every(isRelease)) {
  console.error('Usage: npm run compat -- <release> …   with releases of @google/gemini-cli, e.g. 0.58.0 or latest');
  process.exitCode = 2;
} else {
  const tried: Tried[] = [];
  // One at a time: each CLI needs a whole core while it starts.
  for (const release of releases) tried.push(await tryRelease(release));
  console.log(`\n${table(tried)}\n`);
  const passing = tried.filter(passes).map(({ release }) => release);
  console.log(`Pass: ${passing.length === 0 ? 'none' : passing.join(', ')}`);
  process.exitCode = passing.length === tried.length ? 0 : 1;
}

function isRelease(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

async function tryRelease(release: string): Promise<Tried> {
  console.log(`Checking ${release} …`);
  const folder = mkdtempSync(join(tmpdir(), 'cosession-compat-'));
  try {
    install(release, folder);
    const results = await runAttachContract(folder);
    for (const { name, error } of results) if (error !== undefined) console.log(`  ${name}: ${describe(error)}`);
    return { release, results };
  } catch (error) {
    console.log(`  ${describe(error)}`);
    return { release, results: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function install(release: string, folder: string): void {
  const quiet = ['--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, `@google/gemini-cli@${release}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function passes({ results }: Tried): boolean {
  return results.length === attachChecks.length && results.every(({ error }) => error === undefined);
}

function table(tried: readonly Tried[]): string {
  const rows = [
    ['', ...tried.map(({ release }) => release)],
    ...attachChecks.map(({ name }) => [name, ...tried.map(({ results }) => cell(results, name))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A check has no result if it was not reached. */
function cell(results: readonly CheckResult[], name: string): string {
  const result = results.find((each) => each.name === name);
  return result === undefined ? '-' : result.error === undefined ? 'ok' : 'FAIL';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message.replaceAll('\n', '\n    ') : String(error);
}
