import { afterAll, beforeAll, describe, test } from 'vitest';
import { transportNames } from '../support/a2a/transport.js';
import { type Checklist, openChecklist } from '../support/checklist.js';
import { usePostgres } from '../support/use-postgres.js';
import { lines } from './lines/lines.js';

const database = usePostgres();
let checklist: Checklist;
beforeAll(async () => {
  checklist = await openChecklist({
    place: 'three servers of a cluster',
    newStore: () => database.server.newPlace(),
  });
});
afterAll(() => checklist.close());

/** Every connection reaches another server than the one before. */
describe.each(transportNames)('three servers of a cluster, %s', (name) => {
  const here = lines.filter(({ only, not }) => only !== 'the live endpoint' && not?.[name] === undefined);
  test.each(here)('$section $says', ({ check }) => check(checklist.on(name), checklist));
});
