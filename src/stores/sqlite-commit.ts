import type { WriteStatement, Writer } from './sqlite-connections.js';
import { unreachable } from '../util/unreachable.js';
import type { Write } from './write.js';
import type { Commit } from './write-queue.js';

/**
 * One transaction per batch. It waits until the disk has it, unless it is only pieces of replies: those survive a crash of
 * the server without that wait, which is most of what a chunk would cost.
 */
export async function sqliteCommit(writer: Writer): Promise<Commit> {
  const statements = await prepare(writer);
  return async (batch) => {
    const synchronous = batch.every(isPiece) ? 'normal' : 'full';
    await writer.exec(`pragma synchronous = ${synchronous}; begin immediate`);
    try {
      const found = batch.map((write) => apply(statements, write));
      await writer.exec('commit');
      return found;
    } catch (error) {
      await writer.exec('rollback').catch(() => undefined);
      throw error;
    }
  };
}

function isPiece(write: Write): boolean {
  return write.type === 'event' && write.isPiece;
}

type Statements = Awaited<ReturnType<typeof prepare>>;

async function prepare(writer: Writer) {
  return {
    event: await writer.prepare('insert into events values (?, ?, ?) on conflict do nothing'),
    task: await writer.prepare('insert or replace into tasks values (?, ?, ?, ?, ?, ?)'),
    checkpoint: await writer.prepare('insert or replace into checkpoints values (?, ?)'),
    artifact: await writer.prepare('insert or replace into artifacts values (?, ?, ?, ?)'),
    deleteTask: await writer.prepare('delete from tasks where id = ?'),
    deleteRest: [
      await writer.prepare('delete from events where session_id = ?'),
      await writer.prepare('delete from checkpoints where task_id = ?'),
      await writer.prepare('delete from artifacts where task_id = ?'),
    ],
  };
}

function apply(statements: Statements, write: Write): boolean {
  switch (write.type) {
    case 'event':
      return changed(statements.event, write.sessionId, write.seq, write.body);
    case 'task': {
      const { id, contextId, state, owner = null, updatedAt } = write.task;
      return changed(statements.task, id, contextId, state, owner, updatedAt, write.body);
    }
    case 'checkpoint':
      return changed(statements.checkpoint, write.taskId, write.body);
    case 'artifact':
      return changed(statements.artifact, write.taskId, write.name, write.body, write.content);
    case 'delete':
      for (const statement of statements.deleteRest) statement.run(write.taskId);
      return changed(statements.deleteTask, write.taskId);
    default:
      return unreachable(write);
  }
}

function changed(statement: WriteStatement, ...values: readonly unknown[]): boolean {
  return statement.run(...values).changes > 0;
}
