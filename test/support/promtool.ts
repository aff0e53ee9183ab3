import { spawnSync } from 'node:child_process';
import { ensureDebian } from './debian.js';

/** Runs Prometheus' own checker, installed from Debian when the machine has none. Returns what it complains about. */
export function promtool(
  args: readonly string[],
  input?: string,
): { readonly status: number | null; readonly output: string } {
  if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error)
    ensureDebian({ '/usr/bin/promtool': 'prometheus' });
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
