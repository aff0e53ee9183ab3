import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAfter } from './leftovers.js';

/** A folder for the tests of this file; removed after the last one. A bench uses it too, until it ends. */
export function temporaryFolder(name = 'cosession-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  if (process.env['VITEST'] === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The children of a server that was killed may write for a while yet.
  else endAfter('file', () => rm(folder, { recursive: true, force: true, maxRetries: 50 }));
  return folder;
}
