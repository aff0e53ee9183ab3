import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The text of a file that only its owner can read. If there is none, it is created. If several programs do so at once, only
 * one succeeds: each writes a complete draft and links it, which fails if the name is taken.
 */
export function createOnce(file: string, create: () => string): string {
  const kept = textOf(file);
  if (kept !== undefined) return kept;
  const folder = dirname(file);
  const draft = join(folder, `.draft-${randomBytes(8).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, create(), { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
