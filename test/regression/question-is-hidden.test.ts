import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { serveTransports } from '../support/a2a/serve-transports.js';
import type { Seen } from '../support/a2a/transport.js';
import { scriptOf } from '../support/scripts.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';
import { openWebhook } from '../support/webhook.js';

const script = scriptOf({ touch: [call('run_shell_command', { command: 'touch made-by-shell' })] });
const model = await startModelServer(script);
afterAll(() => model.close());
const session = useLive({ script });

/** What somebody needs to decide and to answer. */
const whole = /touch made-by-shell[^]*1\. Allow once \[proceed_once\][^]*\[cancel\][^]*text message[^]*"tool_call_id"/;

function showsQuestion(seen: Seen | undefined): void {
  expect(seen?.state).toBe('input-required');
  expect(seen?.texts.join('\n')).toMatch(whole);
}

test('a task that waits shows its whole question on send, get, list, subscription and webhook', async () => {
  const webhook = await openWebhook();
  const args = ['--push-allow', new URL(webhook.url).origin];
  const { transports } = await serveTransports({ folder: temporaryFolder(), modelUrl: model.url, args });
  for (const on of transports) {
    const before = webhook.posted.length;
    // v0.3 does not wait for a task whose sender gives a configuration, unless it says so.
    const configuration = { returnImmediately: false, blocking: true };
    const sent = await on.send({ text: 'touch it' }, { configuration, webhook: { url: webhook.url } });
    const { id = '' } = sent;
    showsQuestion(sent);
    showsQuestion(await on.get(id));
    if (on.list) showsQuestion((await on.list({})).tasks.find((task) => task.id === id));
    for await (const first of on.subscribe(id)) {
      showsQuestion(first);
      break;
    }
    await until(() => webhook.posted.length > before);
    expect(JSON.stringify(webhook.posted.at(-1)?.body)).toContain('touch made-by-shell');
    await on.cancel(id);
    on.close();
  }
  webhook.close();
});

test('with the extension the ToolCall is there as data, also at the terminal', async () => {
  const on = jsonRpc((await session.live.url()).replace(/\/$/, ''), '0.3', { 'x-a2a-extensions': extensionUri });
  const sent = await on.send({ text: 'touch it' });
  showsQuestion(sent);
  for (const seen of [sent, await on.get(sent.id ?? '')])
    expect(seen.data).toMatchObject([
      {
        status: 'PENDING',
        tool_name: 'run_shell_command',
        confirmation_request: { execute_details: { command: 'touch made-by-shell' } },
      },
    ]);
  const plain = jsonRpc((await session.live.url()).replace(/\/$/, ''), '1.0');
  const shown = await plain.get(sent.id ?? '');
  showsQuestion(shown);
  expect(shown.data).toEqual([{ tool_call_id: expect.any(String) as string, options: expect.any(Array) as unknown[] }]);
  await on.cancel(sent.id ?? '');
});
