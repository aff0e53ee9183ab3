import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { nextId, type Outgoing, transportNames } from '../support/a2a/transport.js';
import { failure, openTransport } from '../support/checklist.js';
import { freePort } from '../support/free-port.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const taskId = 'one';
const messageId = 'counter-1';
const first = { text: 'first words', messageId, contextId: taskId };
const other = { text: 'other words', messageId };

/** Every way in beside A2A; each takes the message of the others for its own. */
async function refusals(server: ServeProcess): Promise<Record<string, unknown>> {
  const codeOf = async (response: Promise<Response>): Promise<unknown> =>
    ((await (await response).json()) as { error: { code: string } }).error.code;
  const socket = await WireClient.connect(`${server.base.replace('http', 'ws')}/ws?taskId=${taskId}`);
  const { error } = await socket.prompt(other.text, { messageId });
  socket.close();
  return {
    '/ws': (error as { data: { code: string } }).data.code,
    'seed 001': await codeOf(
      server.post(`tasks/${taskId}/messages/stream`, { message: { messageId, content: { text: other.text } } }),
    ),
    'seed 002': await codeOf(
      server.post('message/stream', { taskId, userMessage: { kind: 'text-content', ...other } }),
    ),
    'seed 003': await codeOf(server.post(`tasks/${taskId}/execute`, { message: other.text, messageId })),
  };
}

const refused = Object.fromEntries(
  ['/ws', 'seed 001', 'seed 002', 'seed 003'].map((name) => [name, 'message-id-used']),
);

test('the same messageId with other words is an error, with the same words a repeat; after a crash too', async () => {
  const folder = temporaryFolder();
  const grpcPort = await freePort();
  const args = ['--grpc-port', String(grpcPort)];
  const before = await startServe({ folder, modelUrl: model.url, args });
  for (const name of transportNames) {
    const client = openTransport({ url: before.url, grpcPort }, name);
    const own: Outgoing = { text: 'first words', messageId: nextId(), contextId: taskId };
    const { id, metadata } = await client.send(own);
    expect(metadata['duplicate']).toBeUndefined();
    const again = await client.send(own);
    expect([name, again.id, again.metadata['duplicate'], again.artifacts]).toEqual([name, id, true, 1]);
    const error = await failure(client.send({ ...own, text: 'other words' }));
    expect([name, error.message]).toEqual([name, expect.stringContaining('was already used for a different message')]);
    client.close();
  }
  const asked = model.requests.length;
  await openTransport(before, 'JSON-RPC v1.0').send(first);
  expect(await refusals(before)).toEqual(refused);
  const repeated = await before.post(`tasks/${taskId}/execute`, { message: first.text, messageId });
  expect(repeated.headers.get('x-duplicate-message')).toBe('true');
  expect(await repeated.text()).toContain('You said: first words');

  before.kill('SIGKILL');
  await before.exit;
  const after = await startServe({ folder, modelUrl: model.url });
  expect(await refusals(after)).toEqual(refused);
  expect((await openTransport(after, 'JSON-RPC v0.3').send(first)).metadata['duplicate']).toBe(true);
  expect(model.requests.length).toBe(asked + 1);
});
