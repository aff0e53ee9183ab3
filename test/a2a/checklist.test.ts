import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { transportNames } from '../support/a2a/transport.js';
import { type Checklist, openChecklist } from '../support/checklist.js';
import { places } from '../support/open-conformance-agent.js';
import { lines } from './lines/lines.js';

describe.each(places)('%s', (place) => {
  let checklist: Checklist;
  const open = async (): Promise<void> => {
    checklist = await openChecklist({ place });
  };
  const close = (): Promise<void> => checklist.close();
  // What a line leaves open in the one session of the live endpoint would be in the way of the next.
  if (place === 'the live endpoint') {
    beforeEach(open);
    afterEach(close);
  } else {
    beforeAll(open);
    afterAll(close);
  }
  const here = lines.filter(({ only }) => only === undefined || only === place);

  describe.each(transportNames)('%s', (name) => {
    test.each(here.filter(({ not }) => not?.[name] === undefined))('$section $says', ({ check }) =>
      check(checklist.on(name), checklist),
    );
  });
});
