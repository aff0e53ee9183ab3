import { closeSync, constants, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Write } from '../shared/write.js';
import { DiskSync } from './disk-sync.js';

/**
 * Writes that SQLite will have soon: one line per batch, in a file that only one server appends to. Whoever wants to know what
 * the server has acknowledged reads this file first. Whoever takes its tasks appends a line of its own before that: what comes
 * after this line does not count, and the server finds out when it appends the next time.
 */
export class Journal {
  readonly name: string;
  readonly #path: string;
  readonly #file: number;
  readonly #disk: DiskSync;
  /** Until the name of the file is on the disk. */
  #naming: Promise<unknown> | undefined;
  #size = 0;
  #isClosed = false;

  /** `name` must not have been used before. */
  constructor(folder: string, name: string) {
    this.name = name;
    this.#path = join(folder, name);
    this.#file = openSync(this.#path, 'ax', 0o600);
    this.#disk = new DiskSync(this.#file, { atOnce: 2 });
    this.#naming = Promise.all([syncFolder(folder), syncFolder(dirname(folder))]).then(
      () => (this.#naming = undefined),
    );
  }

  get size(): number {
    return this.#size;
  }

  /** Whether nothing can be appended any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** False if the batch does not count. Nothing that is appended later does, either. */
  append(batch: readonly Write[]): boolean {
    if (this.#isClosed) return false;
    const line = toLine(batch);
    const size = this.#size + Buffer.byteLength(line);
    try {
      this.#isClosed = this.#size + writeSync(this.#file, line) !== size || !this.#isOurs(size);
    } catch {
      // SQLite will say what is wrong with the disk.
      this.#isClosed = true;
    }
    if (this.#isClosed) return false;
    this.#size = size;
    this.#disk.note();
    return true;
  }

  /** Resolves once all that was appended is on the disk. */
  async sync(): Promise<void> {
    await Promise.all([this.#naming, this.#disk.sync()]);
  }

  /** Everything in it must be in SQLite, on the disk. */
  async remove(): Promise<void> {
    this.#isClosed = true;
    rmSync(this.#path, { force: true });
    await this.#disk.close();
  }

  /** Whether the file is still in its place, and nobody but us has written to it. */
  #isOurs(size: number): boolean {
    const now = fstatSync(this.#file);
    return now.size === size && now.nlink > 0;
  }
}

/** A batch, and where its line ends in the file. */
export type JournalEntry = { readonly batch: readonly Write[]; readonly end: number };

/** The batches that count after a place in a journal. */
export function entriesIn(bytes: Buffer, after: number): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (let start = after; ;) {
    const end = bytes.indexOf(newline, start) + 1;
    const batch = end > 0 ? fromLine(bytes.toString('utf8', start, end - 1)) : undefined;
    if (!batch) return entries;
    entries.push({ batch, end });
    start = end;
  }
}

/** Appends the line after which nothing counts. Throws ENOENT if its server has removed it. */
export function closeJournal(path: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    writeSync(file, 'closed\n');
  } finally {
    closeSync(file);
  }
}

/** Not every system can do this, or needs it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const newline = 0x0a;

function toLine(batch: readonly Write[]): string {
  const text = JSON.stringify(batch);
  return `${crc32(text).toString(16)} ${text}\n`;
}

/** Undefined for a line that was not written to its end, and for the one that closes a journal. */
function fromLine(line: string): readonly Write[] | undefined {
  const space = line.indexOf(' ');
  const text = line.slice(space + 1);
  if (space < 0 || crc32(text).toString(16) !== line.slice(0, space)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own text, byte for byte
  return JSON.parse(text) as readonly Write[];
}
