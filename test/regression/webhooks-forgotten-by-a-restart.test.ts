import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, type ServeProcessOptions, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWebhook, type Posted } from '../support/webhook.js';

const model = await startModelServer(
  scriptOf({ write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());

const secrets = { token: 'xyzzy-token', authentication: { scheme: 'Bearer', credentials: 'xyzzy-credentials' } };
const stops: NodeJS.Signals[] = ['SIGKILL', 'SIGTERM'];

const optionsOf = (folder: string, ...args: string[]): ServeProcessOptions => ({
  folder,
  modelUrl: model.url,
  args: ['--push-allow', '*', '--drain-seconds', '0', ...args],
});
const start = (folder: string, ...args: string[]): Promise<ServeProcess> => startServe(optionsOf(folder, ...args));

async function stop(server: ServeProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  await server.exit;
}

/** Starts a turn that asks, with a webhook that has been told so. */
async function ask(server: ServeProcess, hook: { readonly url: string; readonly posted: readonly Posted[] }) {
  const configuration = { taskPushNotificationConfig: { url: hook.url, ...secrets } };
  const { id = '', texts } = await jsonRpc(server.base, '1.0').send({ text: 'write it' }, { configuration });
  await until(() => hook.posted.length === 1);
  return { taskId: id, callId: /write_file__\w+/.exec(texts.join(''))?.[0] };
}

function answer(server: ServeProcess, { taskId, callId }: Awaited<ReturnType<typeof ask>>) {
  const data = { tool_call_id: callId, selected_option_id: 'proceed_once' };
  return jsonRpc(server.base, '1.0').send({ taskId, data });
}

async function configsOf({ base }: ServeProcess, taskId: string): Promise<string> {
  const headers = { 'a2a-version': '1.0' };
  return (await fetch(`${base}/a2a/rest/tasks/${taskId}/pushNotificationConfigs`, { headers })).text();
}

const isOver = ({ posted }: { readonly posted: readonly Posted[] }): boolean => stateOf(posted.at(-1)) === 'COMPLETED';

function stateOf(posted: Posted | undefined): string | undefined {
  return /TASK_STATE_(\w+)/.exec(posted?.text ?? '')?.[1];
}

function filesWithSecrets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, 'latin1').includes('xyzzy'));
}

/** What a server did for three webhooks before it ended: one waits for an answer, one was not reached, one went with its task. */
async function firstLife(folder: string, signal: NodeJS.Signals) {
  const statuses = [200, 503];
  const [hook, late, gone] = [await openWebhook(), await openWebhook(statuses), await openWebhook()];
  const first = await start(folder);
  const asked = await ask(first, hook);
  expect(stateOf(hook.posted[0])).toBe('INPUT_REQUIRED');
  const { taskId: deleted } = await ask(first, gone);
  const session = deleted.slice(0, deleted.lastIndexOf('.'));
  expect((await fetch(`${first.base}/tasks/${session}`, { method: 'DELETE' })).status).toBe(204);
  await answer(first, await ask(first, late));
  await until(() => isOver(late));
  expect(filesWithSecrets(folder)).toEqual([]);
  expect(statSync(join(folder, 'state', 'seal.key')).mode & 0o777).toBe(0o600);
  await stop(first, signal);
  const refused = late.posted.length;
  statuses.splice(0, 2, 200);
  return { hook, late, gone, asked, deleted, refused };
}

describe.each(stops)('after a restart: %s', (signal) => {
  const folder = temporaryFolder();
  let before: Awaited<ReturnType<typeof firstLife>>;
  let second: ServeProcess;
  beforeAll(async () => {
    before = await firstLife(folder, signal);
    second = await startServe(optionsOf(folder), 'file');
  });
  afterAll(async () => {
    await stop(second, 'SIGTERM');
    for (const hook of [before.hook, before.late, before.gone]) hook.close();
  });

  test('a notice that was not delivered comes, unasked', async () => {
    const { late, refused } = before;
    await until(() => late.posted.length > refused);
    expect(stateOf(late.posted.at(-1))).toBe('COMPLETED');
    // The same notice: whoever has taken it already can tell.
    expect(late.posted.at(-1)?.headers['idempotency-key']).toBe(late.posted[1]?.headers['idempotency-key']);
  });

  test('a webhook hears of what happens', async () => {
    const { hook, asked } = before;
    expect(await configsOf(second, asked.taskId)).toContain(hook.url);
    await answer(second, asked);
    await until(() => isOver(hook));
    expect(hook.posted.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer xyzzy-credentials',
      'x-a2a-notification-token': 'xyzzy-token',
    });
    await until(async () => !(await configsOf(second, asked.taskId)).includes('xyzzy'));
    expect(await configsOf(second, asked.taskId)).toContain(hook.url);
  });

  test('a webhook is gone with its task', async () => {
    const { gone, deleted } = before;
    expect(await configsOf(second, deleted)).toContain('not found');
    expect(gone.posted).toHaveLength(1);
  });
});

test('a server with another key sends nothing and keeps everything', async () => {
  const folder = temporaryFolder();
  const withKey = (name: string): string[] => {
    const file = join(folder, name);
    writeFileSync(file, createHash('sha256').update(name).digest('base64'));
    return ['--seal-key', file];
  };
  const hook = await openWebhook();
  const first = await start(folder, ...withKey('ours'));
  const asked = await ask(first, hook);
  await stop(first, 'SIGKILL');

  const second = await start(folder, ...withKey('another'));
  await second.logged('webhook was sealed with another key: see --seal-key');
  expect(await configsOf(second, asked.taskId)).not.toContain(hook.url);
  await stop(second, 'SIGTERM');

  const third = await start(folder, ...withKey('ours'));
  await answer(third, asked);
  await until(() => isOver(hook));
  hook.close();
});
