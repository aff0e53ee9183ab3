import { expect, test } from 'vitest';
import { ManualClient } from '../support/manual-client.js';
import { teeStream } from '../../src/engine/live/stream-tee.js';
import { installTap } from '../../src/engine/live/tap.js';
import { tapKey } from '../../src/engine/live/patch.js';

test('a mistake in our observer never reaches the CLI', () => {
  const errors: unknown[] = [];
  installTap({
    observers: {
      useGeminiStream: () => {
        throw new Error('our mistake');
      },
    },
    onError: (error) => errors.push(error),
  });
  type Tap = (name: string, original: (x: number) => number) => (x: number) => number;
  const tap = (globalThis as unknown as Record<symbol, Tap>)[Symbol.for(tapKey)];
  const original = (x: number): number => x + 1;
  expect(tap?.('useGeminiStream', original)(1)).toBe(2);
  expect(errors).toHaveLength(1);
  expect(tap?.('useMessageQueue', original)).toBe(original);
});

test('the stream reaches the CLI unchanged, with its return value, and each event is seen once', async () => {
  const client = new ManualClient();
  const seen: string[] = [];
  const watcher = {
    started: () => seen.push('start'),
    event: (event: { type: string }) => seen.push(event.type),
    ended: (thrown?: unknown) => seen.push(thrown === undefined ? 'end' : 'threw'),
  };
  teeStream(client, watcher);
  teeStream(client, watcher);
  const stream = client.sendMessageStream('go', new AbortController().signal);
  const received: unknown[] = [];
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) received.push(step.value);
  expect(received).toEqual([
    { type: 'content', value: 'outer' },
    { type: 'content', value: 'nested' },
  ]);
  expect(step.value).toBe('the turn');
  expect(seen).toEqual(['start', 'content', 'content', 'end']);
});

test('a stream that throws, and one that is left early, both end once', async () => {
  const client = new ManualClient();
  const ends: unknown[] = [];
  teeStream(client, { started: () => {}, event: () => {}, ended: (thrown) => ends.push(thrown) });
  const signal = new AbortController().signal;
  await expect(async () => {
    for await (const _event of client.sendMessageStream('throw', signal));
  }).rejects.toThrow('broken');
  for await (const _event of client.sendMessageStream('go', signal)) break;
  expect(ends).toEqual([expect.objectContaining({ message: 'broken' }), undefined]);
});
