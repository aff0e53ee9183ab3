import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process's own memory plus its share of shared memory, in megabytes. On systems other than Linux, its resident memory. */
export function memoryOf(pid: number): number {
  if (process.platform !== 'linux') {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  }
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}

/** Milliseconds of CPU that a process has used so far; NaN on systems other than Linux. */
export function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13);
  return ticks.reduce((sum, each) => sum + Number(each) * 10, 0);
}

/** Megabytes of a process that are in memory now. */
export function residentOf(pid: number): number {
  if (process.platform !== 'linux') return memoryOf(pid);
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
