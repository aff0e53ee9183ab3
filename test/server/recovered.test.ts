import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { prompt } from '../support/hub.js';
import { manualRegistry, serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('what a recovered task does is counted, although nobody asked for it', async () => {
  const workspace = temporaryFolder();
  const file = join(temporaryFolder(), 'tasks.db');
  const before = manualRegistry({ workspace, store: await openSqliteStore(file) });
  const session = await before.registry.open('one');
  session.submit(prompt('go'));
  await session.stored();
  await before.registry.close(0);

  const served = await serveRegistry({ workspace, store: await openSqliteStore(file) });
  expect(await served.registry.recover()).toBe(1);
  served.engine('one').end();
  const metrics = await (await fetch(`${served.server.url}metrics`)).text();
  expect(metrics).toContain('cosession_turns_total{state="completed"} 1');
  await served.stop();
});
