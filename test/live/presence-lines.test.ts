import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PresenceLines } from '../../src/apps/live/presence-lines.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched() {
  const lines: string[] = [];
  const log = { debug: () => {}, info: () => {}, error: () => {} };
  return { lines, presence: new PresenceLines((line) => lines.push(line), log) };
}

test('a crowd gets one line, not one each', () => {
  const { lines, presence } = watched();
  presence.joined('phone', 1);
  vi.runAllTimers();
  for (let i = 0; i < 200; i++) presence.joined(`c${i}`, i + 2);
  presence.left('phone', 200);
  vi.runAllTimers();
  expect(lines).toEqual([
    'A2A client connected: phone (now 1 client: phone)',
    'A2A client connected: c0, c1, c2, c3, c4 and 195 more · A2A client left: phone (now 200 clients: c0, c1, c2, c3, c4 and 195 more)',
  ]);
  for (let i = 0; i < 200; i++) presence.left(`c${i}`, 199 - i);
  vi.runAllTimers();
  expect(lines.at(-1)).toMatch(/now no clients\)$/);
});

test('browsers that pair get one line, by what they may do', () => {
  const { lines, presence } = watched();
  presence.paired("ada's phone", 'watch');
  vi.runAllTimers();
  for (let i = 0; i < 50; i++) presence.paired(`p${i}`, 'work');
  presence.paired('bob', 'watch');
  presence.joined('bob', 1);
  vi.runAllTimers();
  expect(lines).toEqual([
    "ada's phone joined, may watch",
    'bob joined, may watch · p0, p1, p2, p3, p4 and 45 more joined, may work',
    'A2A client connected: bob (now 1 client: bob)',
  ]);
});
