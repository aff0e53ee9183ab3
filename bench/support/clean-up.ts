import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const undos = new Set<() => void>();

process.once('exit', () => {
  for (const undo of undos) undo();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** Runs `undo` if the bench ends early, to leave nothing behind. Returns a function that runs it immediately. */
export function atExit(undo: () => void): () => void {
  undos.add(undo);
  return () => {
    if (undos.delete(undo)) undo();
  };
}

/** A new temporary folder and the function that removes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'cosession-bench-'));
  return { path, remove: atExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 })) };
}
