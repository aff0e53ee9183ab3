import * as z from 'zod';
import { isGuarded, type Write } from '../shared/write.js';
import type { JournalEntry } from './journal.js';
import type { WriteStatement } from './sqlite-connections.js';

/** How far SQLite has the journals. Its functions are called in a transaction. */
export type JournalTable = {
  /** A journal counts only from here on. One that is not in the table belongs to another file of this name. */
  add(journal: string): void;
  /** Applies what SQLite does not have yet of a journal, given its entries after a place. */
  takeIn(journal: string, entriesAfter: (applied: number) => readonly JournalEntry[]): void;
  /** Forgets those that have no file any more. */
  keepOnly(journals: readonly string[]): void;
};

export type JournalStatements = {
  readonly applied: WriteStatement;
  readonly addJournal: WriteStatement;
  readonly noteApplied: WriteStatement;
  readonly keepJournals: WriteStatement;
  readonly restoreClaim: WriteStatement;
  readonly restoreEpoch: WriteStatement;
};

export const journalSql = {
  applied: 'select applied from journals where name = ?',
  addJournal: 'insert or ignore into journals (name, applied) values (?, 0)',
  noteApplied: 'update journals set applied = ? where name = ?',
  keepJournals: 'delete from journals where name not in (select value from json_each(?))',
  restoreClaim: `insert or replace into claims (task_id, server, epoch) values (?, '', ?)`,
  restoreEpoch: 'update epochs set last = max(last, ?)',
} as const;

export function journalTable(
  statements: JournalStatements,
  { epochOf, apply }: { epochOf: (taskId: string) => number; apply: (writes: readonly Write[]) => void },
): JournalTable {
  /** The claims that a power cut has undone: what is in a journal under an epoch proves that the claim was made. */
  const lostIn = (writes: readonly Write[]): ReadonlyMap<string, number> => {
    const newest = new Map(writes.filter(isGuarded).map(({ taskId, epoch }) => [taskId, epoch]));
    return new Map([...newest].filter(([taskId, epoch]) => epochOf(taskId) < epoch));
  };
  return {
    add: (journal) => void statements.addJournal.run(journal),
    keepOnly: (journals) => void statements.keepJournals.run(JSON.stringify(journals)),
    takeIn(journal, entriesAfter) {
      const row = statements.applied.get(journal);
      if (row === undefined) return;
      const entries = entriesAfter(appliedRow.parse(row).applied);
      const last = entries.at(-1);
      if (!last) return;
      const writes = entries.flatMap(({ batch }) => batch);
      if (lostIn(writes).size === 0) apply(writes);
      else
        // One by one, because a task may have been claimed more than once.
        for (const { batch } of entries) {
          for (const [taskId, epoch] of lostIn(batch)) {
            statements.restoreClaim.run(taskId, epoch);
            statements.restoreEpoch.run(epoch);
          }
          apply(batch);
        }
      statements.noteApplied.run(last.end, journal);
    },
  };
}

const appliedRow = z.object({ applied: z.number() });
