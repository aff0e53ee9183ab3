import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('two servers open a new file at the same moment, and both get it', async () => {
  const folder = temporaryFolder();
  for (let round = 0; round < 100; round++) {
    const file = join(folder, `${round}.db`);
    const opened = await Promise.allSettled(Array.from({ length: 2 }, () => openSqliteStore(file)));
    expect(opened.map((store) => (store.status === 'rejected' ? String(store.reason) : 'opened'))).toEqual(
      Array.from({ length: 2 }, () => 'opened'),
    );
    for (const store of opened) if (store.status === 'fulfilled') await store.value.close();
  }
});
