import { type EventWrite, turnsIn, type Write, writeWeight } from '../shared/write.js';
import type { StoredTurn } from '../store.js';
import type { JournalEntry, Journal } from './journal.js';

type Pending = JournalEntry & { readonly journal: Journal };

/** What is in the journals of this server and not in SQLite, in the order of the requests. */
export class PendingWrites {
  #all: Pending[] = [];
  #bytes = 0;
  /** What they write about each task. */
  readonly #types = new Map<string, Set<Write['type']>>();

  /** Those that are pending now. */
  get all(): readonly Pending[] {
    return [...this.#all];
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** About how many bytes they take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether writes of this type are among them, for a task. */
  has(type: Write['type'], taskId: string): boolean {
    return this.#types.get(taskId)?.has(type) ?? false;
  }

  isAbout(taskId: string): boolean {
    return this.#types.has(taskId);
  }

  /** What they change about a turn as a whole. */
  turn(taskId: string, turnId: string): StoredTurn | undefined {
    if (!this.has('event', taskId)) return undefined;
    const events = this.#all.flatMap(({ batch }) => batch.filter(isEvent));
    return turnsIn(events).find((turn) => turn.taskId === taskId && turn.id === turnId);
  }

  add(journal: Journal, batch: readonly Write[]): void {
    this.#all.push({ journal, batch, end: journal.size });
    this.#count(batch);
  }

  /** The first of them are in SQLite. */
  remove(count: number): void {
    this.#all = this.#all.slice(count);
    this.#bytes = 0;
    this.#types.clear();
    for (const { batch } of this.#all) this.#count(batch);
  }

  #count(batch: readonly Write[]): void {
    for (const write of batch) {
      this.#bytes += writeWeight(write);
      if (!('taskId' in write)) continue;
      const types = this.#types.get(write.taskId);
      if (types) types.add(write.type);
      else this.#types.set(write.taskId, new Set([write.type]));
    }
  }
}

function isEvent(write: Write): write is EventWrite {
  return write.type === 'event';
}
