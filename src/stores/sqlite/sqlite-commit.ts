import type { Connections, WriteStatement } from './sqlite-connections.js';
import * as z from 'zod';
import { unreachable } from '../../util/unreachable.js';
import type { StoredTurn } from '../store.js';
import {
  type CheckpointWrite,
  type EventWrite,
  isGuarded,
  type OtherWrite,
  runsOf,
  turnsIn,
  type Write,
} from '../shared/write.js';
import type { Found } from '../shared/write-queue.js';
import { journalSql, type JournalTable, journalTable } from './journal-table.js';

/** The last values of a statement with it: task, epoch. */
const ifHeld = 'where coalesce((select epoch from claims where task_id = ?), 0) = ?';

/** `first` is called at the beginning of the transaction. */
export type SqliteCommit = (
  batch: readonly Write[],
  first?: (journals: JournalTable) => void,
) => Promise<readonly Found[]>;

/**
 * Commits each batch of this server in one transaction, without waiting for the disk: `waitsForDisk` says what is not
 * acknowledged before it is there. The quick connection does it in this tick. If another process is writing, the writer
 * waits for it on its thread.
 */
export async function sqliteCommit(
  { quick, writer }: Pick<Connections, 'quick' | 'writer'>,
  server: string,
): Promise<SqliteCommit> {
  const here = await prepare(quick);
  const onThread = await prepare(writer);
  return async (batch, first) => {
    const applyWith = (statements: Statements) => () => {
      first?.(journalsIn(statements, server));
      return applyAll(statements, batch, server);
    };
    if (beginNow(quick)) return inTransaction(quick, applyWith(here));
    await writer.exec('begin immediate');
    return inTransaction(writer, applyWith(onThread));
  };
}

function journalsIn(statements: Statements, server: string): JournalTable {
  return journalTable(statements, {
    epochOf: (taskId) => epochOf(statements, taskId),
    apply: (writes) => void applyAll(statements, writes, server),
  });
}

/** False while another connection writes. If it fails for any other reason, so will the writer, which reports it. */
function beginNow(quick: Connections['quick']): boolean {
  try {
    quick.exec('begin immediate');
    return true;
  } catch {
    return false;
  }
}

async function inTransaction(
  connection: { exec(sql: string): unknown },
  apply: () => readonly Found[],
): Promise<readonly Found[]> {
  try {
    const found = apply();
    await connection.exec('commit');
    return found;
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

/** Fails if SQLite has already rolled back by itself. */
async function rollBack(connection: { exec(sql: string): unknown }): Promise<void> {
  try {
    await connection.exec('rollback');
  } catch {
    return;
  }
}

function applyAll(statements: Statements, batch: readonly Write[], server: string): readonly Found[] {
  const broken = new Set<string>();
  return runsOf(batch).flatMap((run): readonly Found[] =>
    Array.isArray(run) ? keepEvents(statements, run, broken) : [apply(statements, run, server)],
  );
}

/** `broken`: the tasks whose log another server has continued. Nothing may be added after that server's events. */
function keepEvents(statements: Statements, events: readonly EventWrite[], broken: Set<string>): readonly boolean[] {
  const found = events.map(({ taskId, seq, body, epoch }) => {
    const isStored = !broken.has(taskId) && changed(statements.event, taskId, seq, body, taskId, epoch);
    if (!isStored) broken.add(taskId);
    return isStored;
  });
  // A turn is in five trees, so its prompt and its start change it once.
  for (const turn of turnsIn(events.filter((_, place) => found[place]))) keepTurn(statements, turn);
  return found;
}

/**
 * Everything except pieces of replies, leases, claims and summaries. Leases and claims mean nothing after a power cut,
 * because all servers run on the machine that has the file. A summary can be rebuilt from the events.
 */
export function waitsForDisk(write: Write): boolean {
  return write.type === 'event' ? !write.isPiece : !fleeting.has(write.type);
}

const fleeting: ReadonlySet<Write['type']> = new Set([
  'server',
  'delete-server',
  'claim',
  'release',
  'summary',
] as const);

type Statements = Awaited<ReturnType<typeof prepare>>;

async function prepare(writer: { prepare(sql: string): WriteStatement | Promise<WriteStatement> }) {
  return {
    applied: await writer.prepare(journalSql.applied),
    addJournal: await writer.prepare(journalSql.addJournal),
    noteApplied: await writer.prepare(journalSql.noteApplied),
    keepJournals: await writer.prepare(journalSql.keepJournals),
    restoreClaim: await writer.prepare(journalSql.restoreClaim),
    restoreEpoch: await writer.prepare(journalSql.restoreEpoch),
    event: await writer.prepare(
      `insert into events (session_id, seq, body) select ?, ?, ? ${ifHeld} on conflict do nothing`,
    ),
    epoch: await writer.prepare('select epoch from claims where task_id = ?'),
    nextEpoch: await writer.prepare('update epochs set last = last + 1 returning last as epoch'),
    task: await writer.prepare(
      `insert or replace into tasks (id, context_id, state, owner, updated_at, body) select ?, ?, ?, ?, ?, ? ${ifHeld}`,
    ),
    checkpoint: await writer.prepare(`insert or replace into checkpoints (task_id, body) select ?, ? ${ifHeld}`),
    entry: await writer.prepare('insert or replace into checkpoint_entries (task_id, number, body) values (?, ?, ?)'),
    cutEntries: await writer.prepare('delete from checkpoint_entries where task_id = ? and number >= ?'),
    summary: await writer.prepare('insert or replace into summaries (task_id, body) values (?, ?)'),
    turn: await writer.prepare(
      `insert into turns (task_id, id, first_seq, last_seq, state, at, context_id, owner)
       values (?, ?, ?, ?, ?, ?, ?, (select owner from tasks where id = ?))
       on conflict do update set
         first_seq = min(first_seq, excluded.first_seq), last_seq = max(last_seq, excluded.last_seq),
         state = iif(excluded.last_seq < last_seq, state, excluded.state),
         at = iif(excluded.last_seq < last_seq, at, excluded.at)`,
    ),
    webhooks: await writer.prepare('insert or replace into webhooks (task_id, are_open, body) values (?, ?, ?)'),
    artifact: await writer.prepare(
      'insert or replace into artifacts (task_id, name, body, content) values (?, ?, ?, ?)',
    ),
    server: await writer.prepare('insert or replace into servers (id, body, alive_until) values (?, ?, ?)'),
    usage: await writer.prepare('insert or replace into usage (day, server, body) values (?, ?, ?)'),
    forgetUsage: await writer.prepare('delete from usage where day < ?'),
    deleteServer: await writer.prepare('delete from servers where id = ?'),
    claim: await writer.prepare(
      `insert into claims (task_id, server, epoch) values (?, ?, ?) on conflict do update
       set server = excluded.server, epoch = excluded.epoch where server in ('', excluded.server, ?)`,
    ),
    release: await writer.prepare('update claims set server = ?, epoch = ? where task_id = ?'),
    deleteTask: await writer.prepare('delete from tasks where id = ?'),
    deleteRest: [
      await writer.prepare('delete from events where session_id = ?'),
      await writer.prepare('delete from checkpoints where task_id = ?'),
      await writer.prepare('delete from checkpoint_entries where task_id = ?'),
      await writer.prepare('delete from webhooks where task_id = ?'),
      await writer.prepare('delete from artifacts where task_id = ?'),
      await writer.prepare('delete from claims where task_id = ?'),
    ],
  };
}

const epochRow = z.object({ epoch: z.number() });

function epochOf({ epoch }: Statements, taskId: string): number {
  const row = epoch.get(taskId);
  return row === undefined ? 0 : epochRow.parse(row).epoch;
}

function apply(statements: Statements, write: OtherWrite, server: string): Found {
  // The two that every turn makes are guarded by their own statements: asking first takes longer than writing.
  if (write.type === 'task') {
    const { id, contextId, state, owner = null, updatedAt } = write.task;
    return changed(statements.task, id, contextId, state, owner, updatedAt, write.body, write.taskId, write.epoch);
  }
  if (write.type === 'checkpoint') return keepCheckpoint(statements, write);
  if (isGuarded(write) && epochOf(statements, write.taskId) !== write.epoch) return false;
  switch (write.type) {
    case 'summary':
      for (const turn of write.turns) keepTurn(statements, { taskId: write.taskId, ...turn });
      return changed(statements.summary, write.taskId, write.body);
    case 'webhooks':
      return changed(statements.webhooks, write.taskId, Number(write.areOpen), write.body);
    case 'artifact':
      return changed(statements.artifact, write.taskId, write.name, write.body, write.content);
    case 'delete':
      for (const statement of statements.deleteRest) statement.run(write.taskId);
      return changed(statements.deleteTask, write.taskId);
    case 'claim': {
      const { epoch } = epochRow.parse(statements.nextEpoch.get());
      return changed(statements.claim, write.taskId, server, epoch, write.from ?? server) && epoch;
    }
    case 'release':
      // The new epoch is not ours, so later writes of this server are rejected.
      return changed(statements.release, write.to, epochRow.parse(statements.nextEpoch.get()).epoch, write.taskId);
    case 'server':
      return changed(statements.server, server, write.body, Date.now() + write.leaseMs);
    case 'usage':
      statements.forgetUsage.run(write.day);
      return changed(statements.usage, write.day, server, write.body);
    case 'delete-server':
      return changed(statements.deleteServer, write.id);
    default:
      return unreachable(write);
  }
}

function keepCheckpoint({ checkpoint, entry, cutEntries }: Statements, write: CheckpointWrite): boolean {
  const { taskId, epoch, body, kept, entries } = write;
  if (!changed(checkpoint, taskId, body, taskId, epoch)) return false;
  for (const [index, text] of entries.entries()) entry.run(taskId, kept + index, text);
  cutEntries.run(taskId, kept + entries.length);
  return true;
}

function keepTurn({ turn }: Statements, { taskId, id, first, last, state, at, contextId }: StoredTurn): void {
  turn.run(taskId, id, first, last, state, at, contextId ?? null, taskId);
}

function changed(statement: WriteStatement, ...values: readonly unknown[]): boolean {
  return statement.run(...values).changes > 0;
}
