import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { alice, prompt } from '../support/hub.js';
import { manualRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

test('a task that is deleted while it is being unloaded is deleted', async () => {
  const workspace = temporaryFolder();
  const store = await openSqliteStore(join(workspace, 'tasks.db'));
  let [isLeaving, isForgetting] = [false, false];
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  // In the middle of the deletion the unloading comes to its end.
  const forget = async (): Promise<void> => {
    isForgetting = true;
    letGo();
    await unloaded;
  };
  const { registry, engine } = manualRegistry({ workspace, store, maxLoaded: 1, forget });
  const session = await registry.open('one');
  session.submit(prompt('hello', alice));
  engine('one').end();
  await session.stored();

  // It makes room for another one, and its engine takes its time.
  engine('one').dispose = () => {
    isLeaving = true;
    return held;
  };
  const unloaded = registry.open('two');
  await until(() => isLeaving);
  const removed = registry.remove('one');
  let polls = 0;
  await until(() => isForgetting || ++polls > 20);
  letGo();

  expect(await removed).toBe(true);
  expect(await store.task('one')).toBeUndefined();
  expect(await store.read('one', 0, 9)).toEqual([]);
  await registry.close(0);
});
