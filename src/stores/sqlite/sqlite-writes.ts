import type Database from 'libsql';
import * as z from 'zod';
import { storeFailure } from '../shared/store-failure.js';
import { type EventWrite, isGuarded, type Write, writeWeight } from '../shared/write.js';
import type { Found } from '../shared/write-queue.js';
import type { StoredTurn } from '../store.js';
import { HeldTasks } from './held-tasks.js';
import type { JournalEntry, Journal } from './journal.js';
import type { Journals, Sizes } from './journals.js';
import { PendingWrites } from './pending-writes.js';
import type { SqliteCommit } from './sqlite-commit.js';
import type { Connections } from './sqlite-connections.js';
import type { DatabasePlace } from './sqlite-place.js';

/** How far SQLite may lag behind the journal. It takes many writes in hardly more time than one. */
const lagMs = 250;
const lagBytes = 1024 * 1024;
/** A server that was killed leaves little more than this to read. */
const journalBytes = 4 * 1024 * 1024;

export type SqliteWritesOptions = {
  readonly connections: Connections;
  readonly place: DatabasePlace;
  readonly journals: Journals;
  readonly commit: SqliteCommit;
  /** Called with about how many bytes SQLite was given. */
  readonly written: (bytes: number) => void;
};

/**
 * Where the writes of a server go. What it may write without asking, it appends to its journal, which takes much less time than
 * a transaction; SQLite has it a moment later. Everything else goes to SQLite, after what is in the journal. Only a claim
 * overtakes what is about other tasks.
 */
export class SqliteWrites {
  readonly #options: SqliteWritesOptions;
  readonly #known: Database.Statement;
  readonly #pending = new PendingWrites();
  #held = new HeldTasks();
  #journal: Journal;
  /** The journal that SQLite knows. */
  #added: Journal | undefined;
  /** Nothing can be appended to these any more. They are removed once SQLite has what is in them, on the disk. */
  #ended: readonly Journal[] = [];
  #committing: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tidying: Promise<boolean> | undefined;
  #isEnding = false;
  #hasDeleted = false;

  private constructor(options: SqliteWritesOptions) {
    this.#options = options;
    this.#known = options.connections.reader.prepare(
      'select (select max(seq) from events where session_id = ?1) as seq, exists (select 1 from tasks where id = ?1) as has',
    );
    this.#journal = options.journals.begin();
  }

  /** Resolves once SQLite has what servers that were killed left in their journals. */
  static async open(options: SqliteWritesOptions): Promise<SqliteWrites> {
    const writes = new SqliteWrites(options);
    try {
      await writes.#toSqlite([], 'close others');
      return writes;
    } catch (error) {
      await options.journals.end(writes.#journal);
      throw error;
    }
  }

  /** Resolves once a crash of this process cannot undo these; `sync` waits for the disk. */
  async commit(batch: readonly Write[]): Promise<readonly Found[]> {
    this.#options.place.check();
    if (this.#toJournal(batch)) return batch.map(() => true);
    const isTakeover = batch.some((write) => write.type === 'claim' && write.from !== undefined);
    return this.#toSqlite(batch, isTakeover ? 'close others' : undefined);
  }

  /** The same for a piece of a reply, in this tick. False if it has to wait. */
  storeNow(piece: EventWrite): boolean {
    return this.#options.place.wasKeptLately() && this.#toJournal([piece]);
  }

  /** Resolves once everything that is committed now is on the disk. */
  async sync(): Promise<void> {
    const journals = [...this.#ended, this.#journal];
    await Promise.all([...journals.map((journal) => journal.sync()), this.#options.connections.log.sync()]);
  }

  /** Resolves once SQLite has everything that is committed, by any server: all of it, or a type of writes for a task. */
  async settled(type?: Write['type'], taskId = ''): Promise<void> {
    const isPending = type === undefined ? !this.#pending.isEmpty : this.#pending.has(type, taskId);
    try {
      if (isPending || this.#options.journals.haveNews) await this.#toSqlite([], 'read others');
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /** What SQLite will add to a turn. Every answer asks for its turn, so this makes no transaction for it. */
  async turnNews(taskId: string, turnId: string): Promise<StoredTurn | undefined> {
    await this.settled('summary', taskId);
    return this.#pending.turn(taskId, turnId);
  }

  async close(): Promise<void> {
    const { connections, journals } = this.#options;
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#tidying;
    await this.#toSqlite([]);
    await connections.syncAll();
    for (const journal of [...this.#ended, this.#journal]) await journals.end(journal);
  }

  #toJournal(batch: readonly Write[]): boolean {
    if (this.#isOver || this.#pending.bytes > lagBytes) return false;
    const isStored = this.#held.take(batch) && this.#journal.append(batch);
    if (isStored) this.#pending.add(this.#journal, batch);
    if (isStored || this.#isOver) this.#tidySoon();
    return isStored;
  }

  /** One at a time, in the order of the requests. */
  async #toSqlite(batch: readonly Write[], about?: 'read others' | 'close others'): Promise<readonly Found[]> {
    while (this.#committing) await this.#committing;
    const { commit, connections, journals, written } = this.#options;
    const journal = this.#journal;
    const pending = about === undefined && this.#isOnlyClaims(batch) ? [] : this.#pending.all;
    let closed: readonly string[] = [];
    let read: Sizes = new Map();
    const committed = commit(batch, (table) => {
      if (journal !== this.#added) table.add(journal.name);
      if (about === 'close others') closed = journals.closeOthers(table);
      if (about !== undefined) read = journals.takeIn(table);
      for (const [{ name }, entries] of byJournal(pending))
        table.takeIn(name, (applied) => entries.filter(({ end }) => end > applied));
    });
    this.#committing = committed.catch(() => undefined);
    try {
      const found = await committed;
      this.#pending.remove(pending.length);
      if (journal !== this.#added) connections.log.note();
      this.#added = journal;
      journals.noteRead(read);
      // What was confirmed before a journal began may have changed since.
      this.#note(batch, found, journal === this.#journal ? this.#held : new HeldTasks());
      written([batch, ...pending.map((each) => each.batch)].flat().reduce((sum, write) => sum + writeWeight(write), 0));
      if (closed.length > 0)
        void connections.syncAll().then(
          () => journals.remove(closed),
          () => undefined,
        );
      return found;
    } finally {
      this.#committing = undefined;
    }
  }

  /** Somebody waits for these, and nothing that is pending is about their tasks. */
  #isOnlyClaims(batch: readonly Write[]): boolean {
    return batch.length > 0 && batch.every((write) => write.type === 'claim' && !this.#pending.isAbout(write.taskId));
  }

  #note(batch: readonly Write[], found: readonly Found[], held: HeldTasks): void {
    const { log } = this.#options.connections;
    for (const [place, write] of batch.entries()) {
      const result = found[place] ?? false;
      if (write.type === 'claim') {
        const { seq, has } = knownRow.parse(this.#known.get(write.taskId));
        if (typeof result === 'number') held.noteClaim(write.taskId, result, seq ?? 0);
        // What others have stored must be on the disk before what follows it. A journal restores the claim itself.
        if (seq !== null || has) log.note();
      } else {
        if (isGuarded(write)) held.note(write, result);
        if (!isLease(write)) log.note();
        this.#hasDeleted ||= write.type === 'delete';
      }
    }
    if (this.#hasDeleted) this.#tidySoon();
  }

  /** Whether a new journal has to begin. Whoever closed this one may be taking our tasks. */
  get #isOver(): boolean {
    return this.#journal.isClosed || this.#journal.size > journalBytes || this.#hasDeleted;
  }

  #tidySoon(): void {
    if (!this.#isEnding) this.#timer ??= setTimeout(() => void this.#tidy(), lagMs).unref();
  }

  async #tidy(): Promise<void> {
    // If something fails, whoever writes or reads next is told why.
    this.#tidying = this.#tryTidy().catch(() => false);
    const isTidy = await this.#tidying;
    this.#timer = undefined;
    if (!isTidy || !this.#pending.isEmpty) this.#tidySoon();
  }

  /** Gives SQLite what is in the journal. One that is closed or full, or has the words of a deleted task, is replaced. */
  async #tryTidy(): Promise<boolean> {
    if (!this.#pending.isEmpty) await this.#toSqlite([]);
    if (!this.#isOver && this.#ended.length === 0) return true;
    if (!this.#pending.isEmpty) return false;
    const { connections, journals } = this.#options;
    const [ended, { size }] = [this.#ended, this.#journal];
    await connections.syncAll();
    this.#ended = this.#ended.filter((journal) => !ended.includes(journal));
    for (const journal of ended) await journals.end(journal);
    // What was added meanwhile may not be on the disk.
    if (this.#isOver && this.#journal.size === size) this.#begin();
    return this.#ended.length === 0;
  }

  #begin(): void {
    const before = this.#journal;
    this.#journal = this.#options.journals.begin();
    this.#ended = [...this.#ended, before];
    this.#held = new HeldTasks();
    this.#hasDeleted = false;
  }
}

function isLease({ type }: Write): boolean {
  return type === 'server' || type === 'delete-server';
}

function byJournal(
  entries: readonly (JournalEntry & { readonly journal: Journal })[],
): ReadonlyMap<Journal, readonly JournalEntry[]> {
  const found = new Map<Journal, JournalEntry[]>();
  for (const entry of entries) {
    const known = found.get(entry.journal);
    if (known) known.push(entry);
    else found.set(entry.journal, [entry]);
  }
  return found;
}

const knownRow = z.object({ seq: z.number().nullable(), has: z.number() });
