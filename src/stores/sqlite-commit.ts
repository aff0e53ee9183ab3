import type { WriteStatement, Writer } from './sqlite-connections.js';
import { unreachable } from '../util/unreachable.js';
import { guardedTask, type OtherWrite, type Write } from './write.js';
import type { Commit } from './write-queue.js';

/**
 * One transaction per batch, for the server of this name. It waits until the disk has it, unless it is only pieces of
 * replies: those survive a crash of the server without that wait, which is most of what a chunk would cost.
 */
export async function sqliteCommit(writer: Writer, server: string): Promise<Commit> {
  const statements = await prepare(writer);
  return async (batch) => {
    const synchronous = batch.every(isFleeting) ? 'normal' : 'full';
    await writer.exec(`pragma synchronous = ${synchronous}; begin immediate`);
    try {
      const broken = new Set<string>();
      const found = batch.map((write) => {
        const guarded = guardedTask(write);
        if (guarded !== undefined && statements.foreign.get(guarded, server) !== undefined) return false;
        if (write.type !== 'event') return apply(statements, write, server);
        const isStored =
          !broken.has(write.sessionId) && changed(statements.event, write.sessionId, write.seq, write.body);
        // A log that another server has gone on with must not be gone on with behind its events.
        if (!isStored) broken.add(write.sessionId);
        return isStored;
      });
      await writer.exec('commit');
      return found;
    } catch (error) {
      await writer.exec('rollback').catch(() => undefined);
      throw error;
    }
  };
}

/** Which servers live, and whose a task is, means nothing after a power cut: they are all on the machine of the file. */
function isFleeting(write: Write): boolean {
  return write.type === 'event' ? write.isPiece : fleeting.has(write.type);
}

const fleeting: ReadonlySet<Write['type']> = new Set(['server', 'delete-server', 'claim', 'release'] as const);

type Statements = Awaited<ReturnType<typeof prepare>>;

async function prepare(writer: Writer) {
  return {
    event: await writer.prepare('insert into events values (?, ?, ?) on conflict do nothing'),
    foreign: await writer.prepare('select 1 as found from claims where task_id = ? and server <> ?'),
    task: await writer.prepare('insert or replace into tasks values (?, ?, ?, ?, ?, ?)'),
    checkpoint: await writer.prepare('insert or replace into checkpoints values (?, ?)'),
    webhooks: await writer.prepare('insert or replace into webhooks (task_id, are_open, body) values (?, ?, ?)'),
    artifact: await writer.prepare('insert or replace into artifacts values (?, ?, ?, ?)'),
    server: await writer.prepare('insert or replace into servers values (?, ?)'),
    deleteServer: await writer.prepare('delete from servers where id = ?'),
    claim: await writer.prepare(
      `insert into claims values (?, ?)
       on conflict do update set server = excluded.server where server = excluded.server or server = ?`,
    ),
    release: await writer.prepare('delete from claims where task_id = ? and server = ?'),
    deleteTask: await writer.prepare('delete from tasks where id = ?'),
    deleteRest: [
      await writer.prepare('delete from events where session_id = ?'),
      await writer.prepare('delete from checkpoints where task_id = ?'),
      await writer.prepare('delete from webhooks where task_id = ?'),
      await writer.prepare('delete from artifacts where task_id = ?'),
      await writer.prepare('delete from claims where task_id = ?'),
    ],
  };
}

function apply(statements: Statements, write: OtherWrite, server: string): boolean {
  switch (write.type) {
    case 'task': {
      const { id, contextId, state, owner = null, updatedAt } = write.task;
      return changed(statements.task, id, contextId, state, owner, updatedAt, write.body);
    }
    case 'checkpoint':
      return changed(statements.checkpoint, write.taskId, write.body);
    case 'webhooks':
      return changed(statements.webhooks, write.taskId, Number(write.areOpen), write.body);
    case 'artifact':
      return changed(statements.artifact, write.taskId, write.name, write.body, write.content);
    case 'delete':
      for (const statement of statements.deleteRest) statement.run(write.taskId);
      return changed(statements.deleteTask, write.taskId);
    case 'claim':
      return changed(statements.claim, write.taskId, server, write.from ?? server);
    case 'release':
      return changed(statements.release, write.taskId, server);
    case 'server':
      return changed(statements.server, server, write.body);
    case 'delete-server':
      return changed(statements.deleteServer, write.id);
    default:
      return unreachable(write);
  }
}

function changed(statement: WriteStatement, ...values: readonly unknown[]): boolean {
  return statement.run(...values).changes > 0;
}
