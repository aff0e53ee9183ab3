import { expect, test } from 'vitest';
import { stepsOf } from '../../src/web/question/steps.js';
import { fc } from '../support/properties.js';

test.each([
  ['npm test && git push', ['npm test && ', 'git push']],
  ['ls | wc -l; rm -rf /tmp/x || true', ['ls | ', 'wc -l; ', 'rm -rf /tmp/x || ', 'true']],
  ['git commit -m "a && b; c" && git push', ['git commit -m "a && b; c" && ', 'git push']],
  [`echo 'it''s | fine' | cat`, [`echo 'it''s | fine' | `, 'cat']],
  ['echo a\\;b', ['echo a\\;b']],
  ['first\nsecond', ['first\n', 'second']],
  ['ls &', ['ls &']],
])('%j has the steps %j', (command, steps) => {
  expect(stepsOf(command)).toEqual(steps);
});

test('nothing of a command is lost, whatever is in it', () => {
  const piece = fc.constantFrom('a', ' ', '&&', '||', '|', ';', '"', "'", '`', '\\', '\n', '&');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(stepsOf(pieces.join('')).join('')).toBe(pieces.join(''));
    }),
  );
});
