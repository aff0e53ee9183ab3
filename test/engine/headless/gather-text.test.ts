import { expect, test } from 'vitest';
import { setImmediate as endOfTick } from 'node:timers/promises';
import type { EngineEvent } from '../../../src/engine/engine.js';
import { gatherText } from '../../../src/engine/headless/gather-text.js';

const text = (said: string): EngineEvent => ({ type: 'text', text: said });

function gathering() {
  const reported: EngineEvent[] = [];
  return { reported, report: gatherText((event) => reported.push(event)) };
}

test('the first text of a tick is told at once, the rest of it together at its end', async () => {
  const { reported, report } = gathering();
  for (const piece of ['a', 'b', 'c']) report(text(piece));
  expect(reported).toEqual([text('a')]);
  await endOfTick();
  expect(reported).toEqual([text('a'), text('bc')]);
  report(text('d'));
  expect(reported).toEqual([text('a'), text('bc'), text('d')]);
});

test('what comes after text is told after it', async () => {
  const { reported, report } = gathering();
  const thought: EngineEvent = { type: 'thought', subject: 'one', description: 'two' };
  for (const event of [text('a'), text('b'), thought, text('c'), { type: 'ended', state: 'completed' } as const])
    report(event);
  const all = [text('a'), text('b'), thought, text('c'), { type: 'ended', state: 'completed' }];
  expect(reported).toEqual(all);
  await endOfTick();
  expect(reported).toEqual(all);
});
