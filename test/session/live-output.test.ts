import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ToolCall } from '../../src/domain/tool-call.js';
import { LiveOutput } from '../../src/session/calls/live-output.js';

const running = (liveOutput: string): ToolCall => ({
  id: 'c',
  name: 'shell',
  args: {},
  status: 'executing',
  liveOutput,
});
const done: ToolCall = { id: 'c', name: 'shell', args: {}, status: 'succeeded', output: { kind: 'text', text: 'all' } };

let published: ToolCall[];
let output: LiveOutput;
beforeEach(() => {
  vi.useFakeTimers();
  published = [];
  output = new LiveOutput((call) => published.push(call));
});
afterEach(() => vi.useRealTimers());

test('at most ten updates a second per call, the newest always arrives', () => {
  for (let ms = 0; ms < 1000; ms += 10) {
    output.push(running(`${ms}`));
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1000);
  expect(published.length).toBeLessThanOrEqual(12);
  expect(published.at(-1)).toMatchObject({ liveOutput: '990' });
});

test('the end comes at once and nothing after it', () => {
  output.push(running('a'));
  output.push(running('b'));
  output.push(done);
  vi.advanceTimersByTime(1000);
  expect(published.map((call) => call.status)).toEqual(['executing', 'succeeded']);
});

test('only the end of a long output is sent', () => {
  output.push(running(`${'x'.repeat(200_000)}the end`));
  const [call] = published;
  const text = call?.status === 'executing' ? (call.liveOutput ?? '') : '';
  expect(text.length).toBeLessThan(70_000);
  expect(text.startsWith('…') && text.endsWith('the end')).toBe(true);
});
