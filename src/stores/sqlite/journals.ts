import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closeJournal, entriesIn, Journal } from './journal.js';
import type { JournalTable } from './journal-table.js';

/** How long some journals are. */
export type Sizes = ReadonlyMap<string, number>;

/** The journals of all servers that share a file of SQLite, in a folder beside it. */
export class Journals {
  readonly #folder: string;
  readonly #own = new Set<string>();
  /** How much of each of the others SQLite has. */
  #sizes: Sizes = new Map();

  constructor(database: string) {
    this.#folder = `${database}-journals`;
  }

  /** A new one for this server. */
  begin(): Journal {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = randomUUID();
    this.#own.add(name);
    return new Journal(this.#folder, name);
  }

  async end(journal: Journal): Promise<void> {
    await journal.remove();
    this.#own.delete(journal.name);
  }

  /** Whether SQLite does not have everything that the other servers have acknowledged. */
  get haveNews(): boolean {
    return this.#others().some((name) => this.#sizeOf(name) !== this.#sizes.get(name));
  }

  /** Gives SQLite what it does not have of the others, in a transaction. `noteRead` once that has succeeded. */
  takeIn(table: JournalTable): Sizes {
    // What comes while we read will be news.
    const sizes = new Map(this.#others().map((name) => [name, this.#sizeOf(name)]));
    for (const name of sizes.keys()) table.takeIn(name, (applied) => entriesIn(this.#read(name), applied));
    return sizes;
  }

  noteRead(sizes: Sizes): void {
    if (sizes.size > 0) this.#sizes = sizes;
  }

  /** After this, the others cannot acknowledge anything that SQLite has not confirmed. */
  closeOthers(table: JournalTable): readonly string[] {
    const others = this.#others();
    for (const name of others) unlessMissing(() => closeJournal(join(this.#folder, name)));
    table.keepOnly([...others, ...this.#own]);
    return others;
  }

  /** They must be closed, and what is in them in SQLite, on the disk. */
  remove(names: readonly string[]): void {
    for (const name of names) rmSync(join(this.#folder, name), { force: true });
  }

  #others(): readonly string[] {
    const names = unlessMissing(() => readdirSync(this.#folder)) ?? [];
    return names.filter((name) => !this.#own.has(name));
  }

  #sizeOf(name: string): number {
    return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Its server may have removed it in this moment: then SQLite has everything. */
  #read(name: string): Buffer {
    return unlessMissing(() => readFileSync(join(this.#folder, name))) ?? Buffer.alloc(0);
  }
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
