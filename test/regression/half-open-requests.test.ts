import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { sendSlowly } from '../support/slow-client.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

let goOn = (): void => {};
const holdLast = new Promise<void>((resolve) => (goOn = resolve));
const model = await startModelServer(scriptOf({ long: { chunks: [[say('begun')], [say('done')]], holdLast } }));
afterAll(() => model.close());

const rpc = (text: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { kind: 'message', messageId: text, role: 'user', parts: [{ kind: 'text', text }] } },
});

test('requests that stop half-way end within seconds; those that are slow, and answers that take long, do not', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const port = Number(new URL(served.base).port);
  const stream = served.post('message/stream', {
    contextId: 'streamed',
    userMessage: { kind: 'text-content', text: 'a long one' },
  });
  const blocking = served.post('', rpc('another long one'));
  await served.post('tasks', { contextId: 'watched' });
  const socket = await WireClient.connect(`ws://127.0.0.1:${port}/ws?taskId=watched`);

  const head = (length: number): string =>
    `POST /tasks HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const pieces = ['{"contextId":"slow","more":"', ...Array<string>(12).fill('x'.repeat(80_000)), '"}'];
  const [halfHead, halfBody, slow] = await Promise.all([
    sendSlowly(port, ['POST /tasks HTTP/1.1\r\nhost: 127']),
    sendSlowly(port, [head(1000), '{"contextId":']),
    sendSlowly(port, [head(pieces.join('').length), ...pieces], 1000),
  ]);
  expect(halfHead).toMatch(/^HTTP\/1\.1 408 /);
  expect(halfBody).toMatch(/^HTTP\/1\.1 400 [^]*the body stalled: no data for 10 s/);
  expect(slow).toMatch(/^HTTP\/1\.1 201 /);

  goOn();
  expect((await eventsOf(await stream)).at(-1)?.data).toMatchObject({ state: 'completed' });
  expect(await (await blocking).json()).toMatchObject({ result: { status: { state: 'completed' } } });
  expect(await socket.call('tasks/get')).toHaveProperty('result');
  socket.close();
});
