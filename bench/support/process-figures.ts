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
function residentOf(pid: number): number {
  if (process.platform !== 'linux') return memoryOf(pid);
  // One that ends at this moment has none.
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

type Figures = { readonly cpuMs: number; readonly residentMb: number };

/** The CPU time and the resident memory of all processes of a group; NaN on systems other than Linux. */
export function figuresOfGroup(leader: number): Figures {
  if (process.platform !== 'linux') return { cpuMs: Number.NaN, residentMb: Number.NaN };
  return sumOf(
    processes()
      .filter(({ group }) => group === leader)
      .map(({ pid }) => pid),
  );
}

/** The same of a process and all that it started, whatever their group. Of the process alone on systems other than Linux. */
export function figuresOfTree(root: number): Figures {
  return sumOf(treeOf(root));
}

/** A process and all that it started, the first one first. */
export function treeOf(root: number): readonly number[] {
  if (process.platform !== 'linux') return [root];
  const all = processes();
  const tree = [root];
  for (const parent of tree) tree.push(...all.filter((each) => each.parent === parent).map(({ pid }) => pid));
  return tree;
}

function sumOf(pids: readonly number[]): Figures {
  const sum = (figure: (pid: number) => number): number =>
    pids.reduce((all, pid) => all + (ifAlive(() => figure(pid)) ?? 0), 0);
  return { cpuMs: sum(cpuOf), residentMb: sum(residentOf) };
}

function processes(): { readonly pid: number; readonly parent: number; readonly group: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    const text = ifAlive(() => readFileSync(`/proc/${Number(name)}/stat`, 'utf8'));
    if (text === undefined) return [];
    const [, parent, group] = text.replace(/^.*\) /s, '').split(' ');
    return [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
  });
}

/** Undefined if it is not a process, or has ended. */
function ifAlive<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
