import { execFileSync, spawnSync } from 'node:child_process';

/** Runs Prometheus' own checker, installed from Debian when the machine has none. Returns what it complains about. */
export function promtool(
  args: readonly string[],
  input?: string,
): { readonly status: number | null; readonly output: string } {
  if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error) install();
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: readonly string[]): void =>
    void execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env });
  apt('update');
  apt('install', '--yes', '--no-install-recommends', 'prometheus');
}
