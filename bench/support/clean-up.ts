import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const undos = new Set<() => void>();

process.once('exit', () => {
  for (const undo of undos) undo();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** Runs `undo` when the bench ends early, so that nothing is left behind. Returns a function that runs it now. */
export function atExit(undo: () => void): () => void {
  undos.add(undo);
  return () => {
    if (undos.delete(undo)) undo();
  };
}

/** A folder of its own and the function that removes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'cosession-bench-'));
  return { path, remove: atExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 })) };
}
