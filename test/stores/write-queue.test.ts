import { describe, expect, test } from 'vitest';
import { checkpointParts } from '../../src/stores/shared/checkpoint-parts.js';
import { WriteQueue } from '../../src/stores/shared/write-queue.js';
import type { Json } from '../../src/domain/json.js';
import type { Write } from '../../src/stores/shared/write.js';
import { until } from '../support/until.js';

const event = (taskId: string, seq: number, body = '{}'): Write => ({
  type: 'event',
  taskId,
  epoch: 1,
  seq,
  body,
  isPiece: false,
});
const numbersOf = (batch: readonly Write[]): (number | string)[] =>
  batch.map((write) => (write.type === 'event' ? write.seq : write.type));

test('a burst makes few commits, in order', async () => {
  const batches: (number | string)[][] = [];
  const queue = new WriteQueue(async (batch) => {
    batches.push(numbersOf(batch));
    return batch.map(() => true);
  });
  await Promise.all(Array.from({ length: 2500 }, (_, index) => queue.push(event('s', index + 1))));
  expect(batches.map(({ length }) => length)).toEqual([1000, 1000, 500]);
  expect(batches.flat()).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
});

test('the event loop turns before every batch, however fast the store answers', async () => {
  let turns = 0;
  const turnsBefore: number[] = [];
  const queue = new WriteQueue(async (batch) => {
    turnsBefore.push(turns);
    return batch.map(() => true);
  });
  const count = (): void => {
    turns++;
    if (turnsBefore.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 2500 }, (_, index) => queue.push(event('s', index + 1))));
  expect(turnsBefore).toEqual([1, 2, 3]);
});

test('a batch is at most a megabyte, and one that is larger goes alone', async () => {
  const sizes: number[] = [];
  const queue = new WriteQueue(async (batch) => {
    sizes.push(batch.length);
    return batch.map(() => true);
  });
  const lengths = [400_000, 400_000, 400_000, 5_000_000, 1];
  await Promise.all(lengths.map((length, index) => queue.push(event('s', index + 1, 'x'.repeat(length)))));
  expect(sizes).toEqual([2, 1, 1, 1]);
});

test('a commit that fails is told to its writes, and ends the log of their session only', async () => {
  let isFull = true;
  const queue = new WriteQueue(async (batch) => {
    if (isFull) throw new Error('disk full');
    return batch.map(() => true);
  });
  const [lost, saved] = await Promise.allSettled([
    queue.push(event('a', 1)),
    queue.push({ type: 'delete', taskId: 'x', epoch: 1 }),
  ]);
  const why = { reason: { code: 'store-unavailable', cause: { message: 'disk full' } } };
  expect([lost, saved]).toMatchObject([why, why]);
  isFull = false;
  await expect(queue.push(event('a', 2))).rejects.toThrow('an earlier event of this task was lost');
  // What knows more than the log is lost with it.
  const checkpoint: Write = { type: 'checkpoint', taskId: 'a', epoch: 1, ...checkpointParts({}) };
  await expect(queue.push(checkpoint)).rejects.toThrow('an earlier event of this task was lost');
  await expect(queue.push(event('b', 1))).resolves.toBe(true);
  await queue.push({ type: 'delete', taskId: 'a', epoch: 1 });
  await expect(queue.push(event('a', 1))).resolves.toBe(true);
});

test('without the first record of a task nothing is stored about it, until somebody claims it again', async () => {
  let isFull = true;
  const stored: Write[] = [];
  const queue = new WriteQueue(async (batch) => {
    if (isFull) throw new Error('disk full');
    stored.push(...batch);
    return batch.map(({ type }) => (type === 'claim' ? 2 : true));
  });
  const record = {
    type: 'task',
    taskId: 'new',
    epoch: 1,
    body: '{}',
    task: {
      id: 'new',
      contextId: 'new',
      state: 'submitted',
      createdAt: '',
      updatedAt: '',
      workspace: '',
      model: '',
      metadata: {},
    },
  } as const;
  await expect(queue.push({ ...record, isFirst: true })).rejects.toThrow('the store rejected the change');
  isFull = false;
  await expect(queue.push(event('new', 1))).rejects.toThrow('the record of this task was lost');
  await expect(queue.push(record)).rejects.toThrow('the record of this task was lost');
  await queue.push(event('other', 1));
  await queue.push({ type: 'claim', taskId: 'new' });
  await queue.push(event('new', 1));
  expect(stored).toEqual([event('other', 1), { type: 'claim', taskId: 'new' }, event('new', 1)]);
});

test('a checkpoint that continues a lost one is refused, until there is a whole one', async () => {
  let isFull = false;
  const queue = new WriteQueue(async (batch) => {
    if (isFull) throw new Error('disk full');
    return batch.map(() => true);
  });
  const push = (checkpoint: Json) =>
    queue.push({ type: 'checkpoint', taskId: 'a', epoch: 1, ...checkpointParts(checkpoint) });
  const continuing = { kept: 1, history: [2] };
  const lost = 'an earlier checkpoint of this task was lost';
  await expect(push(continuing)).rejects.toThrow(lost);
  await push({ history: [1] });
  await push(continuing);
  isFull = true;
  const outcomes = [push(continuing), push(continuing)];
  await Promise.allSettled(outcomes);
  isFull = false;
  await expect(push(continuing)).rejects.toThrow(lost);
  await expect(queue.push(event('a', 1))).resolves.toBe(true);
  await push({ history: [1] });
  await expect(push(continuing)).resolves.toBe(true);
  // What another server may have saved meanwhile is not known.
  await queue.push({ type: 'claim', taskId: 'a' });
  await expect(push(continuing)).rejects.toThrow(lost);
});

test('a store that does not answer is not waited for without end', async () => {
  let release = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (release = resolve));
  const queue = new WriteQueue(async (batch) => {
    await stuck;
    return batch.map(() => true);
  });
  const megabyte = 'x'.repeat(1024 * 1024);
  const all = Array.from({ length: 70 }, (_, index) => queue.push(event('s', index + 1, megabyte)));
  const outcomes = Promise.allSettled(all);
  await expect(all.at(-1)).rejects.toThrow('the store is too slow');
  release();
  const rejected = (await outcomes).findIndex(({ status }) => status === 'rejected');
  expect(rejected).toBeGreaterThanOrEqual(63);
  expect((await outcomes).slice(rejected).every(({ status }) => status === 'rejected')).toBe(true);
});

describe('a store that commits before it is on the disk', () => {
  const piece = (taskId: string, seq: number): Write => ({ ...event(taskId, seq), isPiece: true }) as Write;
  /** Each wait for the disk ends when the test says so. */
  function slowDisk() {
    const waits: { end: () => void; fail: (error: Error) => void }[] = [];
    const queue = new WriteQueue(async (batch) => batch.map(() => true), {
      disk: {
        isNeededFor: (write) => write.type === 'event' && !write.isPiece,
        sync: () => new Promise((end, fail) => void waits.push({ end, fail })),
      },
    });
    const acknowledged: string[] = [];
    const push = (write: Write, name: string): Promise<void> =>
      queue.push(write).then(
        () => void acknowledged.push(name),
        (error: unknown) => void acknowledged.push(`${name}: ${String(error)}`),
      );
    return { queue, waits, acknowledged, push };
  }

  test('what needs the disk waits for it, and so does what follows in that task; other tasks do not', async () => {
    const { queue, waits, acknowledged, push } = slowDisk();
    const first = push(event('a', 1), 'a1');
    await until(() => waits.length === 1);
    const second = push(piece('a', 2), 'a2');
    await push(piece('b', 1), 'b1');
    expect(acknowledged).toEqual(['b1']);
    expect([queue.isFreeFor('a'), queue.isFreeFor('b')]).toEqual([false, true]);
    waits[0]?.end();
    await Promise.all([first, second]);
    expect(acknowledged).toEqual(['b1', 'a1', 'a2']);
    expect(waits).toHaveLength(1);
    expect(queue.isFreeFor('a')).toBe(true);
  });

  test('is acknowledged in the order of the commits, and closed after the last', async () => {
    const { queue, waits, acknowledged, push } = slowDisk();
    void push(event('a', 1), 'a1');
    await until(() => waits.length === 1);
    void push(event('a', 2), 'a2');
    await until(() => waits.length === 2);
    waits[1]?.end();
    let isDrained = false;
    const drained = queue.drained().then(() => (isDrained = true));
    await push(piece('b', 1), 'b1');
    expect([acknowledged, isDrained]).toEqual([['b1'], false]);
    waits[0]?.end();
    await drained;
    expect(acknowledged).toEqual(['b1', 'a1', 'a2']);
  });

  test('a disk that fails ends the log of the tasks that waited for it', async () => {
    const { waits, acknowledged, push } = slowDisk();
    const first = push(event('a', 1), 'a1');
    await until(() => waits.length === 1);
    const second = push(event('b', 1), 'b1');
    await until(() => waits.length === 2);
    waits[0]?.fail(new Error('EIO'));
    waits[1]?.end();
    await Promise.all([first, second]);
    await push(piece('a', 2), 'a2');
    expect(acknowledged).toEqual([
      expect.stringContaining('a1: '),
      expect.stringContaining('b1: '),
      'a2: AppError: an earlier event of this task was lost',
    ]);
  });
});
