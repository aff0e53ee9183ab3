import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Installs Debian packages unless `path` is there already. Two test files may find it missing: the second one waits. */
export function ensureDebian(path: string, ...packages: readonly string[]): void {
  if (existsSync(path)) return;
  // Another program on the machine may be installing something. One that updates the lists does it for us, too.
  const get = `apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends ${packages.join(' ')}`;
  const install = `test -e ${path} || { apt-get update -qq; ${get}; }`;
  execFileSync('flock', [join(tmpdir(), 'cosession-install.lock'), 'sh', '-c', install], { stdio: 'ignore' });
}
