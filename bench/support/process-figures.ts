import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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

/** The CPU time and the resident memory of all processes of a group; NaN on systems other than Linux. */
export function figuresOfGroup(leader: number): { readonly cpuMs: number; readonly residentMb: number } {
  if (process.platform !== 'linux') return { cpuMs: Number.NaN, residentMb: Number.NaN };
  const members = readdirSync('/proc')
    .map(Number)
    .filter((pid) => groupOf(pid) === leader);
  const sum = (figure: (pid: number) => number): number => members.reduce((all, pid) => all + figure(pid), 0);
  return { cpuMs: sum(cpuOf), residentMb: sum(residentOf) };
}

/** Undefined if it is not a process, or has ended. */
function groupOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[2],
    );
  } catch {
    return undefined;
  }
}
