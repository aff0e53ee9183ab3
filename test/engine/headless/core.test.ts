import { expect, test } from 'vitest';
import { openConfig } from '../../support/headless-config.js';

test('a session that is opened leaves no marks on the timeline of the process', async () => {
  await openConfig({}, 'http://127.0.0.1:1');
  expect(performance.getEntriesByType('mark').filter(({ name }) => name.startsWith('startup:'))).toEqual([]);
});
