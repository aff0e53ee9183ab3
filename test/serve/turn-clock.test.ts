import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TurnClock } from '../../src/engine/pool/turn-clock.js';

const hour = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('only the time that a turn works counts', () => {
  const onUp = vi.fn<() => void>();
  const clock = new TurnClock(hour, onUp);
  clock.reset();
  for (let minute = 0; minute < 59; minute++) {
    clock.goOn();
    vi.advanceTimersByTime(60_000);
    clock.pause();
    vi.advanceTimersByTime(hour);
  }
  clock.goOn();
  vi.advanceTimersByTime(59_000);
  expect(onUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onUp).toHaveBeenCalledOnce();
});

test('Node keeps a list of timers per duration: many short waits make few of them', () => {
  const setTimeout = vi.spyOn(globalThis, 'setTimeout');
  const clock = new TurnClock(hour, () => {});
  clock.reset();
  for (let wait = 0; wait < 1000; wait++) {
    clock.goOn();
    vi.advanceTimersByTime(7);
    clock.pause();
  }
  expect(new Set(setTimeout.mock.calls.map(([, ms]) => ms)).size).toBeLessThan(5);
});
