import { afterAll, beforeAll, describe, test } from 'vitest';
import { transportNames } from '../support/a2a/transport.js';
import { type Checklist, openChecklist } from '../support/checklist.js';
import { lines } from './lines/lines.js';

let checklist: Checklist;
beforeAll(async () => {
  checklist = await openChecklist();
});
afterAll(() => checklist.close());

describe.each(transportNames)('%s', (name) => {
  test.each(lines.filter(({ not }) => not?.[name] === undefined))('$section $says', ({ check }) =>
    check(checklist.on(name), checklist),
  );
});
