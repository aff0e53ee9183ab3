import { afterAll, expect, test } from 'vitest';
import { startCountingModel } from '../support/counting-model.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf, readUntil, type StreamedEvent } from '../support/sse.js';
import { useStorePlaces } from '../support/store-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

const model = await startCountingModel();
const places = useStorePlaces();
afterAll(() => model.close());

/** More events than a session keeps in memory. */
const pieces = 11_000;

test.each(places)('%s: a cursor of long ago is replayed from the store, and then live', async (_name, placeIn) => {
  const folder = temporaryFolder();
  const { url } = await placeIn(folder);
  const start = () => startServe({ folder, modelUrl: model.url, args: ['--store', url] });
  const first = await start();
  await first.post('tasks', { contextId: 'long' });
  const live = await watch(first, 0);
  await live.prompt(`count to ${pieces}`, { messageId: 'one' });
  // One comes in the middle of it, and one that is late catches up while events are still coming.
  await live.find(({ seq = 0 }) => seq > pieces / 2);
  const middle = await watch(first, 0);
  const { seq: newest = 0, turnId } = await live.find(({ kind, final }) => kind === 'STATE_CHANGE' && final === true);
  expect(newest).toBeGreaterThan(pieces);
  await middle.find(({ seq }) => seq === newest);
  expect(seqsOf(middle)).toEqual(numbers(1, newest));
  const late = await watch(first, 3);
  await late.prompt('be short', { messageId: 'two' });
  await late.find(({ seq = 0, kind, final }) => seq > newest && kind === 'STATE_CHANGE' && final === true);
  expect(seqsOf(late)).toEqual(numbers(4, seqsOf(late).length));
  expect(late.seen.map(({ kind }) => kind)).not.toContain('RESYNC_REQUIRED');
  first.kill('SIGKILL');
  await first.exit;

  const second = await start();
  const back = await watch(second, 7);
  await until(() => seqsOf(back).length >= seqsOf(late).length - 4);
  expect(seqsOf(back).slice(0, pieces)).toEqual(numbers(8, pieces));
  // The message of then again: its whole turn, or from where it was lost on.
  const again = (cursor?: number): Promise<Response> =>
    second.post(
      'tasks/long/messages/stream',
      { message: { messageId: 'one', content: { text: `count to ${pieces}` } } },
      cursor === undefined ? {} : { 'last-event-id': String(cursor) },
    );
  const whole = await eventsOf(await again());
  expect(whole[0]?.data).toMatchObject({ kind: 'USER_MESSAGE', turnId });
  expect(whole.at(-1)).toMatchObject({ id: newest, data: { state: 'completed', final: true } });
  expect(whole.length).toBeGreaterThan(pieces);
  const rest = await eventsOf(await again(100));
  expect(rest.map(({ id }) => id)).toEqual(whole.flatMap(({ id = 0 }) => (id > 100 ? [id] : [])));
  const stranger = await watch(second, 999_999);
  expect((await stranger.kind('RESYNC_REQUIRED'))['oldest']).toBeGreaterThan(0);
  expect((await again(999_999)).status).toBe(410);
});

test('a subscription to an A2A task goes on from a cursor of long ago', async () => {
  const folder = temporaryFolder();
  const serve = await startServe({ folder, modelUrl: model.url });
  const message = {
    kind: 'message',
    role: 'user',
    messageId: 'm',
    parts: [{ kind: 'text', text: `count to ${pieces}` }],
  };
  const send = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } };
  const whole = await eventsOf(await serve.post('', send));
  const again = await serve.post('', send, { 'last-event-id': String(whole[20]?.id) });
  const tail = await readUntil(again, ({ id }) => id === whole.at(-1)?.id);
  const idsOf = (events: readonly StreamedEvent[]) => events.flatMap(({ id }) => id ?? []);
  expect(idsOf(tail).slice(-5000)).toEqual(idsOf(whole).slice(-5000));
  expect(idsOf(tail).filter((id) => id > Number(whole[20]?.id))).toEqual(idsOf(whole.slice(21)));
});

function watch({ base }: ServeProcess, after: number): Promise<WireClient> {
  return WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=long&after=${after}`);
}

function seqsOf({ seen }: WireClient): number[] {
  return seen.flatMap(({ seq, kind }) => (seq === undefined || kind === 'SNAPSHOT' ? [] : [seq]));
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
