import { get } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { grpc } from '../support/a2a/grpc.js';
import { grpcPortOf } from '../support/grpc-port-of.js';
import { hitAndRun } from '../support/other-user.js';
import { grpcBytes, httpBytes, webSocketBytes } from '../support/request-bytes.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';
import { startLive } from '../support/live.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const args = ['--grpc-port', '0', '--rate-limit', '0'];
const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args }, 'file');
const port = Number(new URL(served.base).port);
const grpcPort = await grpcPortOf(served.base);
await served.post('tasks', { contextId: 'ours' });

const stolen = 'stolen words';
/** Bodies over 64 KB do not fit into what Node reads at once. */
const sizes = [0, 70_000, 300_000];
const textOf = (size: number): string => `${stolen} ${'x'.repeat(size)}`;
const coderAgent = (text: string) => ({ userMessage: { kind: 'text-content', text } });
const frame = (text: string) => ({
  jsonrpc: '2.0',
  method: 'message/stream',
  params: { message: { content: { text } } },
});

test('1,000 honest connections at once are all served', async () => {
  const requests = Array.from({ length: 700 }, () => statusOf(`${served.base}/tasks/ours`));
  const sockets = Array.from({ length: 200 }, () => WireClient.connect(`ws://127.0.0.1:${port}/ws?taskId=ours`));
  const calls = Array.from({ length: 100 }, () => turnsOf(grpcPort));
  expect(await Promise.all(requests)).toEqual(requests.map(() => 200));
  expect(await Promise.all(calls)).toEqual(calls.map(() => 0));
  for (const socket of await Promise.all(sockets)) socket.close();
});

test('a server hears nothing of 2,016 requests of another user who leaves at once', async () => {
  const http = [
    httpBytes(port, '/tasks'),
    ...sizes.map((size) => httpBytes(port, '/message/stream', coderAgent(textOf(size)))),
  ];
  const sockets = sizes.map((size) => webSocketBytes(port, '/ws?taskId=ours', frame(textOf(size))));
  const calls = await Promise.all(sizes.map((size) => grpcBytes(textOf(size))));
  await hitAndRun([
    ...http.map((bytes) => ({ port, bytes, times: 96 })),
    ...sockets.map((bytes) => ({ port, bytes, times: 48 })),
    ...calls.map((bytes) => ({ port: grpcPort, bytes, times: 48 })),
  ]);

  // A whole turn of ours comes after all that was heard before.
  const turn = await eventsOf(await served.post('message/stream', { taskId: 'ours', ...coderAgent('our words') }));
  expect(turn.at(-1)?.data).toMatchObject({ state: 'completed' });
  const { tasks } = (await (await fetch(`${served.base}/tasks`)).json()) as { tasks: { id: string }[] };
  expect(tasks.map(({ id }) => id)).toEqual(['ours']);
  expect(await (await fetch(`${served.base}/tasks/ours`)).text()).not.toContain(stolen);
  expect(JSON.stringify(model.requests)).not.toContain(stolen);
  expect(await turnsOf(grpcPort)).toBe(1);
});

test('the live session hears nothing of 306 such requests', async () => {
  const live = await startLive({ script: scriptOf({}), args: ['--grpc-port', '0'] });
  try {
    const { port: livePort, url, sessionId } = await live.entry();
    const liveGrpcPort = await grpcPortOf(url.slice(0, -1));
    const path = `/tasks/${sessionId}/messages/stream`;
    const bytes = sizes.flatMap((size) => [
      httpBytes(livePort, path, { message: { content: { text: textOf(size) } } }),
      webSocketBytes(livePort, '/ws', frame(textOf(size))),
    ]);
    const call = await grpcBytes(stolen);
    await hitAndRun([
      ...bytes.map((each) => ({ port: livePort, bytes: each, times: 15 })),
      { port: liveGrpcPort, bytes: call, times: 12 },
    ]);
    const client = await live.connect('?after=0');
    await client.prompt('our words');
    await client.find(({ kind, state }) => kind === 'STATE_CHANGE' && state === 'completed');
    expect(client.seen.flatMap(({ kind, content }) => (kind === 'USER_MESSAGE' ? [content] : []))).toEqual([
      { text: 'our words' },
    ]);
    expect(JSON.stringify(live.model.requests)).not.toContain(stolen);
    client.close();
  } finally {
    await live.stop();
  }
});

/** As many as gRPC shows, on a connection of its own. */
async function turnsOf(grpcPort: number): Promise<number | undefined> {
  const client = grpc(grpcPort);
  const page = await client.list?.({});
  client.close();
  return page?.tasks.length;
}

/** On a connection of its own. */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}
