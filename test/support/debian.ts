import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Installs Debian packages whose path is not there yet. Two test files may find it missing: the second one waits. */
export function ensureDebian(packageOf: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packageOf).filter(([path]) => !existsSync(path));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name).join(' ');
  const areThere = missing.map(([path]) => `test -e ${path}`).join(' && ');
  // Another program on the machine may be installing something. New lists take longer than most packages.
  const get = `apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends ${names}`;
  const install = `{ ${areThere}; } || ${get} || { apt-get update -qq; ${get}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('flock', [join(tmpdir(), 'cosession-install.lock'), 'sh', '-c', install], { stdio: 'ignore', env });
}
