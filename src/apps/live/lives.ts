import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More events than a life can have; a million lives still fit into a number. */
const numbersOfALife = 1_000_000_000;
/** Nobody comes back with a cursor of that age. */
const forgottenAfterMs = 365 * 24 * 3600 * 1000;

/**
 * Begins a life of a live session, and says after which number it counts. The Gemini CLI keeps a session's id when it resumes
 * it, while our events are gone: they are numbered from 1 in the first life, from 1,000,000,001 in the second, and so on,
 * so that a cursor of one life is never taken for one of another.
 */
export function beginLife(stateDir: string, sessionId: string, now = Date.now()): number {
  const folder = join(stateDir, 'lives');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetOld(folder, now - forgottenAfterMs);
  // An id may be anything; its hash is a file name.
  const file = join(folder, createHash('sha256').update(sessionId).digest('hex'));
  const earlier = livesIn(file);
  writeFileSync(file, String(earlier + 1), { mode: 0o600 });
  return earlier * numbersOfALife;
}

function livesIn(file: string): number {
  try {
    const lives = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(lives) && lives > 0 ? lives : 0;
  } catch {
    return 0;
  }
}

function forgetOld(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const isOld = (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before;
    if (isOld) rmSync(file, { force: true });
  }
}
