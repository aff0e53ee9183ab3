import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TickFrames } from '../../src/server/endpoint/frames/tick-frames.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const written: string[] = [];
  const frames = new TickFrames<string>(
    (texts) => Buffer.from(texts.join(' ')),
    (bytes) => void written.push(bytes.toString()),
  );
  return { written, frames, nextTick: () => vi.advanceTimersByTime(0) };
}

test('the first frame of a tick is written immediately, and the others together at its end', () => {
  const { written, frames, nextTick } = open();
  for (const frame of ['a', 'b', 'c']) frames.push(frame);
  expect(written).toEqual(['a']);
  nextTick();
  expect(written).toEqual(['a', 'b c']);
  frames.push('d');
  expect(written).toEqual(['a', 'b c', 'd']);
});

test('in a burst of ticks, frames are written together after a millisecond', () => {
  const { written, frames, nextTick } = open();
  for (let tick = 1; tick <= 12; tick++) {
    frames.push(String(tick));
    nextTick();
  }
  expect(written).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  vi.advanceTimersByTime(1);
  expect(written.at(-1)).toBe('9 10 11 12');
  frames.push('13');
  expect(written.at(-1)).toBe('13');
});

test('ticks that are not a burst never wait', () => {
  const { written, frames } = open();
  for (let tick = 1; tick <= 30; tick++) {
    frames.push(String(tick));
    vi.advanceTimersByTime(1);
  }
  expect(written).toHaveLength(30);
});
