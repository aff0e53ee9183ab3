import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

export type Visible = {
  readonly variable: (name: string) => boolean;
  readonly argument: (text: string) => boolean;
};

/**
 * On Linux, every program of a user can see how the user's processes were started (`/proc/<pid>/environ` and `cmdline`),
 * whatever they delete later: Linux shows the memory that the kernel filled at the start. This function overwrites what must
 * not be visible there; this process keeps its variables. Returns false where that is not possible.
 */
export function hideStart(env: NodeJS.ProcessEnv, visible: Visible): boolean {
  // Setting a variable again moves it to other memory.
  for (const [name, value] of Object.entries(env)) if (!visible.variable(name)) env[name] = value;
  try {
    const areas = startAreas();
    const memory = openSync('/proc/self/mem', 'r+');
    try {
      blank(memory, areas.arguments, visible.argument);
      blank(memory, areas.environment, (entry) => visible.variable(entry.split('=', 1)[0] ?? ''));
    } finally {
      closeSync(memory);
    }
    return true;
  } catch {
    return false;
  }
}

type Area = { readonly start: number; readonly end: number };

/** proc_pid_stat(5): fields 48 to 51. Field 2, the program's name, may contain spaces; field 3 is the first after it. */
function startAreas(): { arguments: Area; environment: Area } {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    arguments: { start: field(48), end: field(49) },
    environment: { start: field(50), end: field(51) },
  };
}

function blank(memory: number, { start, end }: Area, isVisible: (entry: string) => boolean): void {
  const bytes = Buffer.alloc(end - start);
  readSync(memory, bytes, 0, bytes.length, start);
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(0, from);
    const to = found === -1 ? bytes.length : found;
    if (!isVisible(bytes.toString('utf8', from, to))) bytes.fill(0, from, to);
    from = to + 1;
  }
  writeSync(memory, bytes, 0, bytes.length, start);
}
