import { unreachable } from '../../util/unreachable.js';
import type { Database, Query } from './postgres-database.js';
import { insertEvents, isKept, keep, type KeptWrite } from './postgres-keep.js';
import { isGuarded, type Write } from '../shared/write.js';
import type { Commit, Found } from '../shared/write-queue.js';

/**
 * Commits each batch of this server in one transaction. Writes about tasks take a few statements, however many tasks
 * there are: every statement is a round trip that all later writes wait for.
 */
export function postgresCommit(database: Database, server: string): Commit {
  return async (batch) => {
    const events = batch.filter((write) => write.type === 'event');
    // A single statement is its own transaction: one round trip to the database instead of three.
    if (events.length === batch.length) return insertEvents(database.query, events, new Set());
    return database.transaction(async (query) => {
      const found: Found[] = [];
      const lost = new Set<string>();
      for (const step of stepsOf(batch)) {
        if (Array.isArray(step)) found.push(...(await keep(query, step, lost)));
        else found.push((await isHeld(query, step)) && (await apply(query, step, server)));
      }
      return found;
    });
  };
}

/** A write that changes who holds a task, or whether it exists. The writes before and after it keep their order. */
type Turning = Exclude<Write, KeptWrite>;

function stepsOf(batch: readonly Write[]): (KeptWrite[] | Turning)[] {
  const steps: (KeptWrite[] | Turning)[] = [];
  for (const write of batch) {
    const last = steps.at(-1);
    if (!isKept(write)) steps.push(write);
    else if (Array.isArray(last)) last.push(write);
    else steps.push([write]);
  }
  return steps;
}

/** The lock protects the claim until the write that depends on it is stored. */
async function isHeld(query: Query, write: Turning): Promise<boolean> {
  if (!isGuarded(write)) return true;
  const [claim] = await query<{ epoch: number }>(
    'select epoch::float8 as epoch from cosession_claims where task_id = $1 for share',
    [write.taskId],
  );
  return (claim?.epoch ?? 0) === write.epoch;
}

async function apply(query: Query, write: Turning, server: string): Promise<Found> {
  const changes = async (sql: string, ...values: readonly unknown[]): Promise<boolean> =>
    (await query(`${sql} returning 1`, values)).length > 0;
  switch (write.type) {
    case 'delete': {
      const { taskId } = write;
      await query('delete from cosession_events where session_id = $1', [taskId]);
      for (const table of ['checkpoints', 'checkpoint_entries', 'artifacts', 'webhooks', 'claims'])
        await query(`delete from cosession_${table} where task_id = $1`, [taskId]);
      return changes('delete from cosession_tasks where id = $1', taskId);
    }
    case 'claim': {
      const [claim] = await query<{ epoch: number }>(
        `insert into cosession_claims as held (task_id, server, epoch) values ($1, $2, nextval('cosession_epochs'))
         on conflict (task_id) do update set server = excluded.server, epoch = excluded.epoch
         where held.server in ('', excluded.server, $3)
         returning epoch::float8 as epoch`,
        [write.taskId, server, write.from ?? server],
      );
      return claim?.epoch ?? false;
    }
    case 'release':
      // The new epoch is not ours, so later writes of this server are rejected.
      return changes(
        `update cosession_claims set server = $2, epoch = nextval('cosession_epochs') where task_id = $1`,
        write.taskId,
        write.to,
      );
    case 'server':
      return changes(
        `insert into cosession_servers (id, body, alive_until)
         values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (id) do update set body = excluded.body, alive_until = excluded.alive_until`,
        server,
        write.body,
        write.leaseMs,
      );
    case 'usage':
      await query('delete from cosession_usage where day < $1', [write.day]);
      return changes(
        `insert into cosession_usage (day, server, body) values ($1, $2, $3)
         on conflict (day, server) do update set body = excluded.body`,
        write.day,
        server,
        write.body,
      );
    case 'delete-server':
      return changes('delete from cosession_servers where id = $1', write.id);
    default:
      return unreachable(write);
  }
}
