import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More events than one life can have. A million lives still fit into a number. */
const numbersOfALife = 1_000_000_000;
/** Nobody returns with a cursor this old. */
const forgottenAfterMs = 365 * 24 * 3600 * 1000;

/**
 * Begins a life of a live session and returns the number before its first event. When the Gemini CLI resumes a session, it
 * keeps the session's id, but our events are gone. Numbers start at 1 in the first life, at 1,000,000,001 in the second, and
 * so on. A cursor from one life can therefore never match an event of another.
 */
export function beginLife(stateDir: string, sessionId: string, now = Date.now()): number {
  const folder = join(stateDir, 'lives');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetOld(folder, now - forgottenAfterMs);
  // An id may contain any characters; its hash is a safe file name.
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
