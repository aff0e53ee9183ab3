import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

/** It had joined the other servers of its store before it found out, and stayed without a port. */
test('a server with a wrong key ends and says why', async () => {
  const folder = temporaryFolder();
  const key = join(folder, 'seal.key');
  writeFileSync(key, 'not a key');
  const args = ['serve', '--demo', '--port', '0', '--store', `sqlite:${join(folder, 'tasks.db')}`, '--seal-key', key];
  const env = { ...process.env, COSESSION_STATE_DIR: folder };
  await expect(
    promisify(execFile)(process.execPath, [resolve('dist/main.js'), ...args], { env }),
  ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('does not contain a 32-byte key') as string });
});
