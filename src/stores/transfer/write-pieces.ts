import type { Store, StoredTask } from '../store.js';
import { unreachable } from '../../util/unreachable.js';
import { claimTask } from './claim-task.js';
import type { Piece } from './piece.js';

/**
 * Stores one task from its pieces, in place of anything the store has of it. The record is stored last: a task that has one is
 * complete, and an interrupted transfer can be repeated. Throws `task-elsewhere` if a server is using the task.
 */
export async function writePieces(store: Store, task: StoredTask, rest: AsyncIterator<Piece>): Promise<number> {
  const { id } = task;
  await claimTask(store, id);
  // What an interrupted transfer left. Deleting ends the claim.
  await store.deleteTask(id);
  await claimTask(store, id);
  try {
    const count = await writeRest(store, id, rest);
    await store.saveTask(task);
    return count;
  } finally {
    await store.release(id);
  }
}

async function writeRest(store: Store, id: string, rest: AsyncIterator<Piece>): Promise<number> {
  let count = 0;
  for (;;) {
    const next: IteratorResult<Piece, unknown> = await rest.next();
    if (next.done) throw new Error(`task "${id}" is not complete`);
    const piece = next.value;
    switch (piece.type) {
      case 'checkpoint':
        await store.saveCheckpoint(id, piece.body);
        break;
      case 'webhooks':
        await store.saveWebhooks(id, piece.webhooks);
        break;
      case 'artifact':
        await store.saveArtifact(id, piece.artifact, Buffer.from(piece.content, 'base64'));
        break;
      case 'events':
        await Promise.all(piece.events.map((event) => store.append(event)));
        count += piece.events.length;
        break;
      case 'end':
        if (piece.events !== count) throw new Error(`task "${id}" has ${count} of ${piece.events} events`);
        return count;
      case 'task':
        throw new Error(`task "${id}" is not complete`);
      default:
        return unreachable(piece);
    }
  }
}
