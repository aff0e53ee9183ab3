import { expect, test } from 'vitest';
import { LoopGuard } from '../../../src/engine/headless/loop-guard.js';

/** After how many chunks the guard stops the model; undefined when it does not. */
function stopsAfter(chunks: readonly string[]): number | undefined {
  const guard = new LoopGuard();
  const index = chunks.findIndex((chunk) => guard.isLoopingText(chunk));
  return index < 0 ? undefined : index + 1;
}

const sentence = 'I will now look at the file again, since I have not seen it yet. ';

test('a passage that is repeated without end is stopped after little more than twelve times', () => {
  const times = stopsAfter(Array.from({ length: 100 }, () => sentence));
  expect(times).toBeGreaterThan(11);
  expect(times).toBeLessThan(18);
});

test('it does not matter how the text is cut', () => {
  const letters = sentence.repeat(100).split('');
  expect(stopsAfter(letters)).toBeLessThan(18 * sentence.length);
});

test.each([
  ['a text', Array.from({ length: 500 }, (_, index) => `Line ${index} says ${index * 7919}. `)],
  ['a passage said a few times', Array.from({ length: 8 }, () => sentence)],
  ['a rule', Array.from({ length: 500 }, () => '----------')],
])('%s is not stopped', (_name, chunks) => {
  expect(stopsAfter(chunks)).toBeUndefined();
});

test('the same call is stopped at the fifth time in a row', () => {
  const guard = new LoopGuard();
  const calls = Array.from({ length: 5 }, () => guard.isLoopingCall('read_file', { path: 'a' }));
  expect(calls).toEqual([false, false, false, false, true]);
});
