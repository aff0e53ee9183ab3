import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { toNew } from '../support/a2a/messages.js';
import { eventsOf } from '../support/a2a/http.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

/** A path of v1.0 is read as v1.0 also without a header; its stream began in v1.0 and went on in the words of v0.3. */
test('HTTP+JSON: a stream on a path of v1.0 is in v1.0 to its end, without a header too', async () => {
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const message = toNew({ text: 'hello' });
  const response = await serve.post('a2a/rest/message:stream', { message }, { 'a2a-extensions': extensionUri });
  const events: string[] = [];
  for await (const { data } of eventsOf(response)) events.push(JSON.stringify(data));
  expect(events.at(-1)).toContain('TASK_STATE_COMPLETED');
  expect(events.some((event) => event.includes('"parts":[{"text":'))).toBe(true);
  expect(events.filter((event) => /"content":\[|"final":/.test(event))).toEqual([]);
});
