import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { toNew } from '../support/a2a/messages.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWebhook } from '../support/webhook.js';

/** `--push-allow http://10.0.0.5` also let webhooks go to 10.0.0.50, and to every port of 10.0.0.5. */
let model: Awaited<ReturnType<typeof startModelServer>>;
let hook: Awaited<ReturnType<typeof openWebhook>>;
beforeAll(async () => {
  model = await startModelServer(scriptOf({}));
  hook = await openWebhook();
});
afterAll(() => {
  hook.close();
  return model.close();
});

const serve = (allowed: string): Promise<ServeProcess> =>
  startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--push-allow', allowed] });

async function send(served: ServeProcess, url: string): Promise<unknown> {
  const params = {
    message: toNew({ text: 'hello' }),
    configuration: { taskPushNotificationConfig: { url }, returnImmediately: true },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params };
  return (await served.post('', body, { 'a2a-version': '1.0' })).json();
}

const refused = { error: { message: expect.stringContaining('not allowed') as string } };

describe('webhooks to private addresses', () => {
  test('an address allows neither its other ports nor addresses that begin like it', async () => {
    const served = await serve('http://127.0.0.1');
    for (const url of [hook.url, 'http://127.0.0.10/', 'http://127.0.0.1.evil.localhost/', 'https://127.0.0.1/'])
      expect(await send(served, url)).toMatchObject({ error: {} });
    expect(await send(served, hook.url)).toMatchObject(refused);
  });

  test('a path allows what is below it, and nothing that begins like it', async () => {
    const served = await serve(hook.url);
    for (const url of [`${hook.url}s`, `${hook.url}/..%2fadmin`, new URL('/', hook.url).href])
      expect(await send(served, url)).toMatchObject(refused);
    expect(await send(served, `${hook.url}/ci?of=me`)).toHaveProperty('result');
    await until(() => hook.posted.length);
    expect(hook.posted.map(({ path }) => path)).toEqual(['/hook/ci?of=me']);
  });

  test('what is no address is refused at the start', () => {
    const args = ['dist/main.js', 'serve', '--demo', '--port', '0', '--push-allow', 'localhost:9000'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/--push-allow: expected an address like .*localhost:9000/),
    ]);
  });
});
