import { expect, test } from 'vitest';
import { oneByOne } from '../../../src/engine/headless/core/one-by-one.js';

test('work that is wanted at once runs one after another, and the event loop turns in between', async () => {
  const happened: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    happened.push(`${name} begins`);
    setImmediate(() => happened.push('the loop turns'));
    await Promise.resolve();
    happened.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([oneByOne(work('a')), oneByOne(work('b'))])).toEqual(['a', 'b']);
  expect(happened.slice(0, 5)).toEqual(['a begins', 'a ends', 'the loop turns', 'b begins', 'b ends']);
});

test('work that waits for something else, or fails, holds up nobody', async () => {
  const hanging = oneByOne(() => new Promise<never>(() => {}));
  const failing = oneByOne(() => Promise.reject(new Error('no')));
  const next = oneByOne(() => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.race([next, hanging])).toBe('next');
});
