import { unreachable } from '../../util/unreachable.js';
import type { Query } from './postgres-database.js';
import { type CheckpointParts, joinedParts } from '../shared/checkpoint-parts.js';
import { turnInsertion, turnsFrom, turnValues } from './postgres-turns.js';
import { type EventWrite, turnsIn, type Write } from '../shared/write.js';

/** Writes about tasks whose order does not matter, except that the last one of each kind wins. */
export type KeptWrite = Extract<Write, { type: 'event' | RowType | 'summary' | 'artifact' }>;

export function isKept(write: Write): write is KeptWrite {
  return ['event', 'summary', 'artifact'].includes(write.type) || write.type in tables;
}

/** These tables have one row per task. One statement stores all rows of a batch. */
const tables = {
  task: `insert into cosession_tasks (id, context_id, state, owner, updated_at, body)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    on conflict (id) do update set context_id = excluded.context_id, state = excluded.state,
      owner = excluded.owner, updated_at = excluded.updated_at, body = excluded.body`,
  checkpoint: `insert into cosession_checkpoints (task_id, body) select * from unnest($1::text[], $2::text[])
    on conflict (task_id) do update set body = excluded.body`,
  webhooks: `insert into cosession_webhooks (task_id, are_open, body)
    select * from unnest($1::text[], $2::boolean[], $3::text[])
    on conflict (task_id) do update set are_open = excluded.are_open, body = excluded.body`,
};

type RowType = keyof typeof tables;
type RowWrite = Extract<Write, { type: RowType }>;

/**
 * Stores what belongs to tasks under the epochs that hold them. Returns for each write whether its epoch holds. Records
 * come first, because turns take their owner from them.
 */
export async function keep(query: Query, writes: readonly KeptWrite[], lost: Set<string>): Promise<boolean[]> {
  const isHeld = await holds(query, writes);
  const held = writes.filter((write) => isHeld(write) && !lost.has(write.taskId));
  await upsert(query, held, 'task');
  const events = writes.filter((write) => write.type === 'event');
  const areStored = events.length === 0 ? [] : await insertEvents(query, events, lost);
  // A checkpoint must not know more than the log.
  const kept = held.filter(({ type, taskId }) => type !== 'event' && !lost.has(taskId));
  await upsert(query, kept, 'checkpoint');
  await keepEntries(query, kept);
  await upsert(query, kept, 'webhooks');
  for (const write of kept) {
    if (write.type === 'summary') await keepSummary(query, write);
    if (write.type === 'artifact') await keepArtifact(query, write);
  }
  const all = new Set([...kept, ...events.filter((_, index) => areStored[index])]);
  return writes.map((write) => all.has(write));
}

/** The lock protects the claims until the writes that depend on them are stored. */
async function holds(query: Query, writes: readonly KeptWrite[]): Promise<(write: KeptWrite) => boolean> {
  const claims = await query<{ task_id: string; epoch: number }>(
    'select task_id, epoch::float8 as epoch from cosession_claims where task_id = any ($1::text[]) for share',
    [[...new Set(writes.map(({ taskId }) => taskId))]],
  );
  const epochs = new Map(claims.map(({ task_id, epoch }) => [task_id, epoch]));
  return ({ taskId, epoch }) => (epochs.get(taskId) ?? 0) === epoch;
}

/** A statement takes each row once: the last write of a task. */
async function upsert(query: Query, writes: readonly KeptWrite[], type: RowType): Promise<void> {
  const rows = new Map<string, readonly unknown[]>();
  for (const write of writes) if (write.type === type) rows.set(write.taskId, rowOf(write));
  const [first] = rows.values();
  if (!first) return;
  const columns = first.map((_, column) => [...rows.values()].map((row) => row[column]));
  await query(tables[type], columns);
}

function rowOf(write: RowWrite): readonly unknown[] {
  switch (write.type) {
    case 'task': {
      const { id, contextId, state, owner = null, updatedAt } = write.task;
      return [id, contextId, state, owner, updatedAt, write.body];
    }
    case 'checkpoint':
      return [write.taskId, write.body];
    case 'webhooks':
      return [write.taskId, write.areOpen, write.body];
    default:
      return unreachable(write);
  }
}

/** Each row is replaced once, or deleted. */
async function keepEntries(query: Query, writes: readonly KeptWrite[]): Promise<void> {
  const checkpoints = new Map<string, CheckpointParts>();
  for (const write of writes)
    if (write.type === 'checkpoint') checkpoints.set(write.taskId, joinedParts(checkpoints.get(write.taskId), write));
  if (checkpoints.size === 0) return;
  const rows = [...checkpoints].flatMap(([taskId, { kept, entries }]) =>
    entries.map((body, index) => ({ taskId, number: kept + index, body })),
  );
  await query(
    `with cut as (
       delete from cosession_checkpoint_entries as stored
       using unnest($1::text[], $2::integer[]) as news (task_id, length)
       where stored.task_id = news.task_id and stored.number >= news.length
     )
     insert into cosession_checkpoint_entries (task_id, number, body)
     select * from unnest($3::text[], $4::integer[], $5::text[])
     on conflict (task_id, number) do update set body = excluded.body`,
    [
      [...checkpoints.keys()],
      [...checkpoints.values()].map(({ kept, entries }) => kept + entries.length),
      rows.map(({ taskId }) => taskId),
      rows.map(({ number }) => number),
      rows.map(({ body }) => body),
    ],
  );
}

async function keepSummary(query: Query, { taskId, body, turns }: Extract<Write, { type: 'summary' }>): Promise<void> {
  const stored = turnValues(turns.map((turn) => ({ taskId, ...turn })));
  await query(`with news as (select turn.* from ${turnsFrom(1)}) ${turnInsertion('news')}`, stored);
  await query(
    `insert into cosession_summaries (task_id, body) values ($1, $2)
     on conflict (task_id) do update set body = excluded.body`,
    [taskId, body],
  );
}

/** One at a time: in an array its bytes would be text of twice the length. */
async function keepArtifact(query: Query, write: Extract<Write, { type: 'artifact' }>): Promise<void> {
  await query(
    `insert into cosession_artifacts (task_id, name, body, content) values ($1, $2, $3, $4)
     on conflict (task_id, name) do update set body = excluded.body, content = excluded.content`,
    [write.taskId, write.name, write.body, write.content],
  );
}

/**
 * `for share` locks the claims until the events are stored: nothing from an older epoch can be stored after a takeover. If an
 * identical event exists already, its acknowledgement was lost with the connection. Once another server has continued a
 * log, no events are added after that server's events.
 */
const insertion = (more = ''): string => `
  with given as (
    select * from unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) as event (session_id, seq, body, epoch)
  ), held as (
    select task_id, epoch from cosession_claims where task_id = any ($1::text[]) for share
  ), taken as (
    select session_id, min(seq) as seq from given join cosession_events as stored using (session_id, seq)
    where stored.body <> given.body group by session_id
  ), stored as (
    insert into cosession_events as stored (session_id, seq, body)
    select given.session_id, given.seq, given.body from given
      left join held on held.task_id = given.session_id
      left join taken on taken.session_id = given.session_id
    where coalesce(held.epoch, 0) = given.epoch and (taken.seq is null or given.seq < taken.seq)
    on conflict (session_id, seq) do update set body = excluded.body where stored.body = excluded.body
    returning session_id, seq
  )${more}
  select session_id, seq from stored`;

/** Stores the turn updates of the events in the same statement. */
const withTurns = `, news as (
    select turn.* from ${turnsFrom(5)}
    where (turn.task_id, turn.last_seq) in (select session_id, seq from stored)
  ), turned as (${turnInsertion('news')})`;

/** `lost`: tasks that have lost an event in this batch; filled in here. */
export async function insertEvents(query: Query, given: readonly EventWrite[], lost: Set<string>): Promise<boolean[]> {
  const events = given.filter(({ taskId }) => !lost.has(taskId));
  const turns = turnsIn(events);
  const hasTurns = turns.length > 0;
  const stored = await query<{ session_id: string; seq: number }>(insertion(hasTurns ? withTurns : ''), [
    events.map(({ taskId }) => taskId),
    events.map(({ seq }) => seq),
    events.map(({ body }) => body),
    events.map(({ epoch }) => epoch),
    ...(hasTurns ? turnValues(turns) : []),
  ]);
  const keys = new Set(stored.map(({ session_id, seq }) => `${seq} ${session_id}`));
  return given.map(({ taskId, seq }) => {
    if (!keys.has(`${seq} ${taskId}`)) lost.add(taskId);
    return !lost.has(taskId);
  });
}
