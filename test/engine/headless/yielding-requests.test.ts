import { expect, test } from 'vitest';
import type { ModelConnection } from '../../../src/engine/gemini/own-call-ids.js';
import { yieldBeforeRequests } from '../../../src/engine/headless/core/yielding-requests.js';

test('what is due is done before core writes its request to the model', async () => {
  const order: string[] = [];
  const connection: ModelConnection = {
    async generateContentStream(_request, id) {
      order.push(`request ${String(id)}`);
      return (async function* () {})();
    },
  };
  yieldBeforeRequests(connection);
  setImmediate(() => order.push('what reached the disk'));
  await connection.generateContentStream({}, 'one');
  expect(order).toEqual(['what reached the disk', 'request one']);
});
