import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** https://www.npmjs.com/package/acpx: an ACP client for the command line, made by others. */
export const acpxVersion = '0.19.1';

/**
 * A program of somebody else, installed once into a folder of its own. Returns the path of its command, or of the given file of
 * its modules.
 */
export function installed(
  name: string,
  version: string,
  {
    command = name,
    file = join('.bin', command),
    flags = [],
  }: { command?: string; file?: string; flags?: readonly string[] } = {},
): string {
  const folder = join(tmpdir(), `cosession-third-party-${name.replaceAll('/', '-')}-${version}`);
  const program = join(folder, 'node_modules', file);
  if (existsSync(program)) return program;
  // Made beside it and put in its place when it is whole.
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  const quiet = ['--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, ...flags, '--prefix', temporary, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  try {
    renameSync(temporary, folder);
  } catch {
    // Somebody else was faster.
    rmSync(temporary, { recursive: true, force: true });
  }
  return program;
}

/** npm has Node as a package, too. */
export function installedNode24(): string {
  const name = `node-${process.platform}-${process.arch}`;
  return installed(name, '24.9.0', { file: join(name, 'bin', 'node') });
}
