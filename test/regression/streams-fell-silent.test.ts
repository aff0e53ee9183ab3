import { afterAll, expect, test } from 'vitest';
import { heartbeatMs } from '../../src/server/http/heartbeat.js';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { patienceMs } from '../support/until.js';

/** A model that says nothing until the test is over. */
const model = await startModelServer(() => ({ chunks: [[say('At last.')]], holdLast: new Promise(() => {}) }));
afterAll(() => model.close());

const hello = { kind: 'text-content', text: 'hello' };
const v1 = { 'a2a-version': '1.0' };

type Open = (serve: ServeProcess) => Promise<Response>;
const streams: Readonly<Record<string, Open>> = {
  'JSON-RPC': (serve) =>
    serve.post('', { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: toOld({ text: 'hello' }) } }),
  'HTTP+JSON v1.0': (serve) => serve.post('a2a/rest/message:stream', { message: toNew({ text: 'hello' }) }, v1),
  '/message/stream': (serve) => serve.post('message/stream', { userMessage: hello }),
  '/tasks/{id}/execute': async (serve) => serve.post(`tasks/${await newTask(serve)}/execute`, { message: 'hello' }),
  '/tasks/{id}/messages/stream': async (serve) =>
    serve.post(`tasks/${await newTask(serve)}/messages/stream`, { message: { content: { text: 'hello' } } }),
  '/acp': async (serve) => {
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const made = await serve.post('acp', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const connection = { 'acp-connection-id': made.headers.get('acp-connection-id') ?? '' };
    return fetch(`${serve.base}/acp`, { headers: { accept: 'text/event-stream', ...connection } });
  },
};

test('no stream is silent for longer than clients wait', async () => {
  // The Python SDK reads with a timeout of 5 s. That the beats come is seen below; how soon depends on the machine.
  expect(heartbeatMs).toBeLessThan(5000);
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const heard = Object.entries(streams).map(async ([name, open]) => [name, await hearsComment(await open(serve))]);
  expect(await Promise.all(heard)).toEqual(Object.keys(streams).map((name) => [name, true]));
});

async function newTask(serve: ServeProcess): Promise<string> {
  return ((await (await serve.post('tasks', {})).json()) as { taskId: string }).taskId;
}

/** Reads until a comment comes, or nothing has come for too long. */
async function hearsComment(response: Response): Promise<boolean> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const read = await Promise.race([reader?.read(), silence()]);
    text += read?.value ?? '';
    const isHeard = /^:/m.test(text);
    if (!isHeard && read && !read.done) continue;
    await reader?.cancel();
    return isHeard;
  }
}

function silence(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMs).unref());
}
