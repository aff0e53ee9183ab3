import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import type { Store, StoredTask } from '../store.js';
import { isThere, type CopyProgress } from './copy-store.js';
import { type Piece, readPiece } from './piece.js';
import { readPieces } from './read-pieces.js';
import { writePieces } from './write-pieces.js';

/** Later versions may add kinds of pieces, which this one cannot read. */
const format = 1;

/**
 * Writes tasks as JSON lines, compressed if the name ends with `.gz`: a head, the pieces of each task, and a tail without which
 * the file counts as incomplete. The file appears under its name when it is complete.
 */
export async function writeTaskFile(
  file: string,
  store: Store,
  tasks: AsyncIterable<StoredTask>,
): Promise<CopyProgress> {
  const draft = `${file}.part`;
  let progress: CopyProgress = { total: 0, copied: 0, skipped: 0, events: 0 };
  const toNotify = new Set(await store.tasksToNotify());
  async function* lines(): AsyncGenerator<string> {
    yield line({ cosession: 'tasks', format, at: new Date().toISOString() });
    for await (const task of tasks) {
      for await (const piece of readPieces(store, task, toNotify)) {
        if (piece.type === 'end') progress = { ...progress, events: progress.events + piece.events };
        yield line(piece);
      }
      progress = { ...progress, total: progress.total + 1, copied: progress.copied + 1 };
    }
    yield line({ cosession: 'end', tasks: progress.copied });
  }
  try {
    const target = createWriteStream(draft, { mode: 0o600 });
    const source = Readable.from(lines());
    await (file.endsWith('.gz') ? pipeline(source, createGzip(), target) : pipeline(source, target));
    await rename(draft, file);
    return progress;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Stores the tasks of a file. Reads it to the end first: a file that is cut off or damaged changes nothing. */
export async function readTaskFile(
  file: string,
  store: Store,
  { replace, onProgress }: { readonly replace: boolean; readonly onProgress: (progress: CopyProgress) => void },
): Promise<CopyProgress> {
  const total = await checkTaskFile(file);
  let progress: CopyProgress = { total, copied: 0, skipped: 0, events: 0 };
  const pieces = piecesIn(file);
  for await (const piece of untilEnd(pieces)) {
    if (piece.type !== 'task') continue;
    const { task } = piece;
    if (!replace && (await store.task(task.id))) {
      if (!(await isThere(store, task)))
        throw new Error(`the store has another version of task "${task.id}"; --replace overwrites it`);
      progress = { ...progress, skipped: progress.skipped + 1 };
    } else {
      const events = await writePieces(store, task, pieces);
      progress = { ...progress, copied: progress.copied + 1, events: progress.events + events };
    }
    onProgress(progress);
  }
  return progress;
}

/** How many tasks the file holds. Throws if it is not complete. */
async function checkTaskFile(file: string): Promise<number> {
  let tasks = 0;
  for await (const piece of piecesIn(file)) if (piece.type === 'end') tasks++;
  return tasks;
}

/** The iterator is shared with `writePieces`, so leaving the loop must not close it. */
async function* untilEnd(pieces: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

async function* piecesIn(file: string): AsyncGenerator<Piece> {
  const source = createReadStream(file);
  const input = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => input.destroy(error));
  let tasks = 0;
  let isStarted = false;
  for await (const text of createInterface({ input })) {
    if (!isStarted) {
      readHead(file, text);
      isStarted = true;
      continue;
    }
    const end = tail.safeParse(JSON.parse(text)).data;
    if (end) {
      if (end.tasks === tasks) return;
      throw new Error(`${file} holds ${tasks} of ${end.tasks} tasks`);
    }
    const piece = readPiece(text);
    if (piece.type === 'end') tasks++;
    yield piece;
  }
  throw new Error(`${file} is not complete: its last line is missing`);
}

const head = z.object({ cosession: z.literal('tasks'), format: z.number() });
const tail = z.object({ cosession: z.literal('end'), tasks: z.number() });

function readHead(file: string, text: string): void {
  const found = head.safeParse(safeJson(text)).data;
  if (!found) throw new Error(`${file} was not made by "cosession store backup" or "cosession tasks export"`);
  if (found.format > format) throw new Error(`${file} was made by a newer cosession (format ${found.format})`);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
