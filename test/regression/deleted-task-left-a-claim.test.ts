import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/stores/open.js';
import { manualRegistry } from '../support/served-registry.js';
import { storedRows } from '../support/stored-rows.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a task that another server deletes while this one opens it leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tasks.db');
  const open = (server: string) => openStore(`sqlite:${file}`, { stateDir: folder, env: {}, server });
  const [first, second] = [await open('first'), await open('second')];
  const deleting = manualRegistry({ workspace: folder, store: first });
  await deleting.registry.open('task');
  let isDeleted = false;
  const opening = manualRegistry({
    workspace: folder,
    store: {
      ...second,
      async task(id) {
        const found = await second.task(id);
        if (!isDeleted) await deleting.registry.remove(id);
        isDeleted = true;
        return found;
      },
    },
  });
  expect(await opening.registry.get('task')).toBeUndefined();
  expect(storedRows(file)['claims']).toBe('[]');
  await deleting.registry.close(0);
  await opening.registry.close(0);
});
