import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const download = 'apt-get download -qq "$1" || { apt-get update -qq && apt-get download -qq "$1"; }';

/** A program of Debian, unpacked once into a folder of its own: nothing is installed, and no service is started. */
export function debianProgram(packageName: string, path: string): string {
  const folder = join(tmpdir(), `cosession-debian-${packageName}`);
  const program = join(folder, path);
  if (existsSync(program)) return program;
  // Made beside it and put in its place when it is whole.
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  const quiet = { cwd: temporary, stdio: 'ignore' } as const;
  execFileSync('sh', ['-c', `{ ${download}; } && dpkg -x ./*.deb .`, 'sh', packageName], quiet);
  try {
    renameSync(temporary, folder);
  } catch {
    // Somebody else was faster.
    rmSync(temporary, { recursive: true, force: true });
  }
  return program;
}
