import { AppError } from '../../domain/errors.js';
import type { Store, StoredTask } from '../store.js';
import { readPieces, storedTasks } from './read-pieces.js';
import { writePieces } from './write-pieces.js';

export type CopyProgress = {
  readonly total: number;
  readonly copied: number;
  /** The target had them already. */
  readonly skipped: number;
  readonly events: number;
};

/** Copies every task. What the target has already, unchanged, is skipped, so an interrupted copy can be repeated. */
export async function copyStore(
  from: Store,
  to: Store,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyProgress> {
  await checkUnused(from);
  const { total } = await from.tasks({ limit: 1 });
  const toNotify = new Set(await from.tasksToNotify());
  let progress: CopyProgress = { total, copied: 0, skipped: 0, events: 0 };
  for await (const task of storedTasks(from)) {
    if (await isThere(to, task)) progress = { ...progress, skipped: progress.skipped + 1 };
    else {
      const pieces = readPieces(from, task, toNotify);
      // The record itself, which comes first.
      await pieces.next();
      const events = await writePieces(to, task, pieces);
      progress = { ...progress, copied: progress.copied + 1, events: progress.events + events };
    }
    onProgress(progress);
  }
  return progress;
}

/** The record is stored last, and every change of a task changes `updatedAt`. */
export async function isThere(store: Store, { id, updatedAt }: StoredTask): Promise<boolean> {
  return (await store.task(id))?.updatedAt === updatedAt;
}

/** Otherwise what a server stores meanwhile would not be copied. */
async function checkUnused(store: Store): Promise<void> {
  const using = (await store.servers()).find(({ id, leftMs }) => id !== store.server && leftMs > 0);
  if (!using) return;
  const seconds = Math.ceil(using.leftMs / 1000);
  throw new AppError(
    'task-elsewhere',
    `a server is using the store: stop it first; if it was killed, wait ${seconds} seconds`,
  );
}
