import { expect, test } from 'vitest';
import { refusalOf } from '../../src/engine/live/client-commands.js';

test('only listed commands are refused, whatever objects have by nature', () => {
  expect(refusalOf('vim')).toBe("it changes the terminal's key bindings");
  for (const name of ['help', 'constructor', 'toString', '__proto__']) expect(refusalOf(name)).toBeUndefined();
});
