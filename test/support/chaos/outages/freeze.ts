import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outage } from './outage.js';

/** Every process of the database is stopped in its tracks: it goes on later where it was, with what it was about to commit. */
export function freeze(dataFolder: string): Outage {
  return {
    name: 'database stopped (SIGSTOP)',
    canLast: true,
    async begin() {
      const pids = processesOf(dataFolder);
      signal(pids, 'SIGSTOP');
      return async () => signal(pids, 'SIGCONT');
    },
  };
}

/** The postmaster and those it has forked. */
function processesOf(dataFolder: string): number[] {
  const [postmaster = ''] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' });
  return [postmaster, ...children.trim().split('\n')].map(Number);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
