import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

if (process.env['VITEST'] === undefined) {
  // A bench uses it, outside of any test.
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
} else {
  afterAll(async () => {
    // The children of a server that was killed may write for a while yet.
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 50 });
  });
}

/** A folder for the tests of this file; removed after the last one. */
export function temporaryFolder(name = 'cosession-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  folders.push(folder);
  return folder;
}
