import { expect, test } from 'vitest';
import { startModelServer } from '../../src/demo/model-server.js';
import { say } from '../../src/demo/reply.js';
import { countLive } from '../support/live-objects.js';

/** `--demo serve` grew by the whole conversation with every call of the model. */
test('the model of the demo forgets a request once it is answered', async () => {
  const requests: WeakRef<object>[] = [];
  const model = await startModelServer((request) => {
    requests.push(new WeakRef(request));
    return { chunks: [[say('hello')]] };
  });
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  for (let i = 0; i < 20; i++) {
    const url = `${model.url}/v1beta/models/demo:streamGenerateContent?alt=sse`;
    const response = await fetch(url, { method: 'POST', body });
    expect(await response.text()).toContain('hello');
  }
  await model.close();
  // The newest may still be held by the connection that brought it.
  expect(await countLive(requests)).toBeLessThanOrEqual(1);
});
