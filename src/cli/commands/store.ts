import { storePlace } from '../../stores/store-place.js';
import { checkStore } from '../../stores/transfer/check-store.js';
import { copyStore } from '../../stores/transfer/copy-store.js';
import { storedTasks } from '../../stores/transfer/read-pieces.js';
import { readTaskFile, writeTaskFile } from '../../stores/transfer/task-file.js';
import { sanitizeLine } from '../../util/text/sanitize.js';
import { UsageError } from '../../util/usage-error.js';
import { counted } from '../../util/text/counted.js';
import type { GivenTo } from '../argv/commands.js';
import { withStore } from '../find/with-store.js';
import type { Io } from '../view/io.js';
import { progressOn } from '../view/progress.js';

type Given = GivenTo<'store'>;

/** `cosession store …`: checks, saves, restores and moves everything a server keeps about its tasks. */
export async function store({ flags, words }: Given, io: Io): Promise<number> {
  const [verb, first, second] = words;
  if (verb === 'check' && first === undefined) return check(flags, io);
  if (verb === 'backup' && first !== undefined && second === undefined) return backup(flags, first, io);
  if (verb === 'restore' && first !== undefined && second === undefined) return restore(flags, first, io);
  if (verb === 'migrate' && first !== undefined && second !== undefined) return migrate(first, second, io);
  throw new UsageError(`cosession store ${words.join(' ')}: not understood; see cosession store --help`);
}

const stored = (tasks: number, events: number): string => `${counted(tasks, 'task')} with ${counted(events, 'event')}`;

async function check(flags: Given['flags'], io: Io): Promise<number> {
  return withStore(flags.store, io, async (opened) => {
    const { tasks, events, problems } = await checkStore(opened, () => {});
    for (const problem of problems) io.stdout.write(`${sanitizeLine(problem, 500)}\n`);
    io.stdout.write(
      `${stored(tasks, events)}: ${problems.length === 0 ? 'no problems' : counted(problems.length, 'problem')}.\n`,
    );
    return problems.length === 0 ? 0 : 1;
  });
}

async function backup(flags: Given['flags'], file: string, io: Io): Promise<number> {
  return withStore(flags.store, io, async (opened) => {
    const { copied, events } = await writeTaskFile(file, opened, storedTasks(opened));
    io.stdout.write(`${stored(copied, events)} written to ${file}.\n`);
    return 0;
  });
}

async function restore(flags: Given['flags'], file: string, io: Io): Promise<number> {
  return withStore(flags.store, io, async (opened) => {
    const done = await readTaskFile(file, opened, { replace: flags.replace, onProgress: progressOn(io) });
    io.stdout.write(`${stored(done.copied, done.events)} restored, ${done.skipped} were there already.\n`);
    return 0;
  });
}

async function migrate(from: string, to: string, io: Io): Promise<number> {
  return withStore(from, io, (source) =>
    withStore(to, io, async (target) => {
      const done = await copyStore(source, target, progressOn(io));
      const places = `from ${storePlace(from)} to ${storePlace(to)}`;
      io.stdout.write(`${stored(done.copied, done.events)} copied ${places}, ${done.skipped} were there already.\n`);
      return 0;
    }),
  );
}
