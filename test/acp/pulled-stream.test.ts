import { expect, test, vi } from 'vitest';
import { PulledStream } from '../../src/server/acp/pulled-stream.js';
import { fc } from '../support/properties.js';

/** A stream that gives these chunks, as fast as they are read. */
function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test('a reader whose replies are lost reads everything once and in order', async () => {
  const chunk = fc.uint8Array({ minLength: 1, maxLength: 300_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), fc.array(fc.boolean()), async (chunks, losses) => {
      const onEnd = vi.fn<() => void>();
      const stream = new PulledStream(streamOf(chunks), onEnd);
      const read: Buffer[] = [];
      let after = 0;
      for (let turn = 0; ; turn++) {
        const { bytes, isEnd } = await stream.read(after);
        if (losses[turn]) continue;
        expect(bytes.length).toBeLessThanOrEqual(128 * 1024);
        after += bytes.length;
        read.push(bytes);
        if (isEnd) break;
      }
      expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
      stream.end();
      expect(onEnd).toHaveBeenCalledTimes(1);
    }),
    { numRuns: 30 },
  );
});

test('nobody waits for a reader that has gone', async () => {
  vi.useFakeTimers();
  try {
    const cancel = vi.fn<() => void>();
    const onEnd = vi.fn<() => void>();
    const reading = new PulledStream(new ReadableStream({ cancel }), onEnd).read(0);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await reading).toMatchObject({ isEnd: false });
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(cancel).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
