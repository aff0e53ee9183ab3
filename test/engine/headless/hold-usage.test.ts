import { expect, test } from 'vitest';
import type { EngineEvent } from '../../../src/engine/engine.js';
import { holdUsage } from '../../../src/engine/headless/hold-usage.js';

const usage = (inputTokens: number): EngineEvent => ({ type: 'usage', usage: { inputTokens } });
const text: EngineEvent = { type: 'text', text: 'hello' };
const ended: EngineEvent = { type: 'ended', state: 'completed' };

test('what a reply has used comes with the next event, in the order of the engine', () => {
  const reported: EngineEvent[] = [];
  const report = holdUsage((event) => reported.push(event));
  report(text);
  expect(reported).toEqual([text]);
  report(usage(1));
  expect(reported).toEqual([text]);
  report(usage(2));
  expect(reported).toEqual([text, usage(1)]);
  report(ended);
  expect(reported).toEqual([text, usage(1), usage(2), ended]);
  report(text);
  expect(reported.length).toBe(5);
});
