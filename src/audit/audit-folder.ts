import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as endOfTick } from 'node:timers/promises';
import type { AuditEntry, AuditLog, AuditQuery } from '../domain/audit.js';
import { dayOfFile, readAudit } from './read-audit.js';

export type AuditFolderOptions = {
  /** How many days are kept; 0 keeps them all. */
  readonly days?: number;
  readonly onError?: (error: unknown) => void;
};

/** About 3 MB. A disk that takes nothing must not fill the memory, so entries beyond this are lost, which is reported. */
const maxWaiting = 10_000;
const defaultDays = 365;

/**
 * The audit log of a state folder: one file of JSON lines per UTC day. Every process that uses the folder appends to the same
 * files, in whole lines, so servers, live sessions and commands need no lock. Files and not the store: an audit log must not
 * vanish with the store it is about, commands that know no store write to it, and the system can make files append-only.
 */
export class AuditFolder implements AuditLog {
  readonly #folder: string;
  readonly #days: number;
  readonly #onError: (error: unknown) => void;
  #waiting: AuditEntry[] = [];
  #lost = 0;
  #writing: Promise<void> | undefined;
  #prunedOn = '';

  constructor(stateDir: string, { days = defaultDays, onError = () => {} }: AuditFolderOptions = {}) {
    this.#folder = join(stateDir, 'audit');
    this.#days = days;
    this.#onError = onError;
  }

  add(entry: AuditEntry): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(entry);
    else this.#lost++;
    this.#writing ??= this.#write();
  }

  /** Resolves once everything added so far is written, or reported as lost. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async *read(query: AuditQuery): AsyncIterable<AuditEntry> {
    await this.flush();
    yield* readAudit(this.#folder, query);
  }

  async #write(): Promise<void> {
    let cause: unknown;
    while (this.#waiting.length > 0) {
      // Everything that is added in one tick is written at once.
      await endOfTick();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(batch);
      } catch (error) {
        this.#lost += batch.length;
        cause = error;
      }
    }
    if (this.#lost > 0) this.#onError(new Error(`${this.#lost} entries of the audit log were lost`, { cause }));
    this.#lost = 0;
    this.#writing = undefined;
  }

  async #append(batch: readonly AuditEntry[]): Promise<void> {
    const dayOf = ({ at }: AuditEntry): string => at.slice(0, 10);
    for (const day of new Set(batch.map(dayOf))) {
      const entries = batch.filter((entry) => dayOf(entry) === day);
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      this.#appendTo(join(this.#folder, `${day}.jsonl`), lines);
    }
    await this.#prune(new Date());
  }

  /** In this tick: the system only copies the lines, and three visits to a thread would cost ten times as much. */
  #appendTo(file: string, lines: string): void {
    try {
      appendFileSync(file, lines, { mode: 0o600 });
    } catch {
      // Somebody may have deleted the folder.
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(file, lines, { mode: 0o600 });
    }
  }

  /** Once a day. */
  async #prune(now: Date): Promise<void> {
    const today = now.toISOString().slice(0, 10);
    if (this.#days === 0 || this.#prunedOn === today) return;
    this.#prunedOn = today;
    const oldest = new Date(now.getTime() - this.#days * 86_400_000).toISOString().slice(0, 10);
    for (const name of await readdir(this.#folder)) {
      const day = dayOfFile(name);
      if (day !== undefined && day < oldest) await rm(join(this.#folder, name), { force: true });
    }
  }
}
