import { userInfo } from 'node:os';
import * as z from 'zod';
import { AuditFolder } from '../../audit/audit-folder.js';
import type { Store } from '../../stores/store.js';
import { claimTask } from '../../stores/transfer/claim-task.js';
import { eventsOf, storedTasks } from '../../stores/transfer/read-pieces.js';
import { readTaskFile, writeTaskFile } from '../../stores/transfer/task-file.js';
import { defined } from '../../util/defined.js';
import { sanitizeLine } from '../../util/text/sanitize.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { askServer } from '../find/ask-server.js';
import { withStore } from '../find/with-store.js';
import { columns } from '../../util/text/columns.js';
import { counted } from '../../util/text/counted.js';
import type { Io } from '../view/io.js';
import { progressOn } from '../view/progress.js';

type Given = GivenTo<'tasks'>;

/** `cosession tasks …`: looks after the tasks of a store, or of a running server with `--server`. */
export async function tasks({ flags, words }: Given, io: Io): Promise<number> {
  const [verb, first, second] = words;
  const { server } = flags;
  const isLast = (word: string | undefined): word is string => word !== undefined && words.at(-1) === word;
  if (verb === 'ls' && first === undefined) return server === undefined ? listStored(flags, io) : listServed(flags, io);
  if (verb === 'show' && isLast(first))
    return server === undefined ? showStored(flags, first, io) : showServed(flags, first, io);
  if (verb === 'rm' && isLast(first))
    return server === undefined ? removeStored(flags, first, io) : removeServed(flags, first, io);
  if (server !== undefined) throw new UsageError(`cosession tasks ${verb} works on the store, without --server`);
  if (verb === 'export' && first !== undefined && second !== undefined) return exportTask(flags, first, second, io);
  if (verb === 'import' && isLast(first)) return importTasks(flags, first, io);
  throw new UsageError(`cosession tasks ${words.join(' ')}: not understood; see cosession tasks --help`);
}

type Flags = Given['flags'];

type Listed = {
  readonly id: string;
  readonly state: string;
  readonly updatedAt: string;
  /** Tasks that were created without a token have none. */
  readonly owner?: string;
  readonly workspace: string;
};

async function listStored(flags: Flags, io: Io): Promise<number> {
  return withStore(flags.store, io, async (store) => {
    const found: Listed[] = [];
    for await (const { id, state, updatedAt, owner, workspace } of storedTasks(store, defined({ state: flags.state })))
      found.push({ id, state, updatedAt, workspace, ...defined({ owner }) });
    return print(found, flags, io);
  });
}

const page = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      timestamp: z.string(),
      owner: z.string().exactOptional(),
      workspace: z.string(),
    }),
  ),
  nextPageToken: z.string().optional(),
});

async function listServed({ server = '', ...flags }: Flags, io: Io): Promise<number> {
  const found: Listed[] = [];
  let pageToken: string | undefined;
  do {
    const query = { limit: '100', ...defined({ state: flags.state, pageToken }) };
    const response = await askServer(io, server, { method: 'GET', path: 'tasks', query });
    const { tasks: more, nextPageToken } = page.parse(await response.json());
    found.push(...more.map(({ timestamp: updatedAt, ...task }) => ({ ...task, updatedAt })));
    pageToken = nextPageToken;
  } while (pageToken !== undefined);
  return print(found, flags, io);
}

function print(found: readonly Listed[], { json }: Pick<Flags, 'json'>, { stdout }: Io): number {
  const rows = found.map(({ id, state, updatedAt, owner = '', workspace }) =>
    [id, state, updatedAt, owner, workspace].map((cell) => sanitizeLine(cell, 120)),
  );
  if (json) for (const task of found) stdout.write(`${JSON.stringify(task)}\n`);
  else
    stdout.write(
      found.length === 0 ? 'No tasks.\n' : columns([['ID', 'STATE', 'UPDATED', 'OWNER', 'WORKSPACE'], ...rows]),
    );
  return 0;
}

async function showStored(flags: Flags, id: string, io: Io): Promise<number> {
  return withStore(flags.store, io, async (store) => {
    const task = await known(store, id);
    let events = 0;
    for await (const some of eventsOf(store, id)) events += some.length;
    const { turns } = await store.turns({ taskId: id, limit: 10 });
    const artifacts = (await store.artifacts(id)).map(({ name, size }) => ({ name, size }));
    const holder = await store.holder(id);
    const described = { ...task, events, lastTurns: turns, artifacts, ...defined({ server: holder?.server }) };
    io.stdout.write(`${JSON.stringify(described, null, 2)}\n`);
    return 0;
  });
}

async function showServed({ server = '' }: Flags, id: string, io: Io): Promise<number> {
  const response = await askServer(io, server, { method: 'GET', path: `tasks/${encodeURIComponent(id)}` });
  io.stdout.write(`${JSON.stringify(await response.json(), null, 2)}\n`);
  return 0;
}

async function removeStored(flags: Flags, id: string, io: Io): Promise<number> {
  await withStore(flags.store, io, async (store) => {
    await known(store, id);
    await claimTask(store, id);
    await store.deleteTask(id);
    return 0;
  });
  const audit = new AuditFolder(io.stateDir);
  const by = { surface: 'cli', client: userInfo().username } as const;
  audit.add({ at: new Date().toISOString(), by, action: 'delete', taskId: id });
  await audit.flush();
  return deleted(id, io);
}

async function removeServed({ server = '' }: Flags, id: string, io: Io): Promise<number> {
  await askServer(io, server, { method: 'DELETE', path: `tasks/${encodeURIComponent(id)}` });
  return deleted(id, io);
}

function deleted(id: string, { stdout }: Io): number {
  stdout.write(`Task "${sanitizeLine(id, 256)}" is deleted.\n`);
  return 0;
}

async function exportTask(flags: Flags, id: string, file: string, io: Io): Promise<number> {
  return withStore(flags.store, io, async (store) => {
    const task = await known(store, id);
    async function* one() {
      yield task;
    }
    const { events } = await writeTaskFile(file, store, one());
    io.stdout.write(`Task "${id}" with ${events} events is in ${file}.\n`);
    return 0;
  });
}

async function importTasks(flags: Flags, file: string, io: Io): Promise<number> {
  return withStore(flags.store, io, async (store) => {
    const done = await readTaskFile(file, store, { replace: flags.replace, onProgress: progressOn(io) });
    io.stdout.write(
      `${counted(done.copied, 'task')} with ${counted(done.events, 'event')} imported, ${done.skipped} were there already.\n`,
    );
    return 0;
  });
}

async function known(store: Store, id: string) {
  const task = await store.task(id);
  if (!task) throw new Error(`there is no task "${id}"; see cosession tasks ls`);
  return task;
}
