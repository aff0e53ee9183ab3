import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { eventsOf } from '../support/a2a/http.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

/** Clients of v0.3 take nothing but an event stream as the answer to `message/stream`, and do not show why they were refused. */
test('v0.3: what is wrong with the parameters of message/stream is told in a stream', async () => {
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const wrong = [
    [{}, 'message must be an object'],
    [
      { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'video' }] } },
      'Invalid v0.3 part kind',
    ],
  ] as const;
  for (const [params, why] of wrong) {
    const response = await serve.post('', { jsonrpc: '2.0', id: 7, method: 'message/stream', params });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const { value } = await eventsOf(response).next();
    expect(value?.data).toMatchObject({ id: 7, error: { code: -32602, message: expect.stringContaining(why) } });
  }
});
