import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { useCluster } from '../support/use-cluster.js';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import type { ServeProcess } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { until } from '../support/until.js';

const model = await startModelServer(
  scriptOf({ 'touch it': [say('I will run it.'), call('run_shell_command', { command: 'echo it >> it.txt' })] }),
);
afterAll(() => model.close());
const cluster = useCluster({
  modelUrl: model.url,
  count: 2,
  args: ['--max-running-per-owner', '5', '--lease-seconds', '60'],
});

/** This release, and what the next one is as far as servers of both meet. */
const releases = {
  this: {},
  next: { NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/support/next-release.js')).href}` },
};

async function schema(): Promise<{ version: number; since: number } | undefined> {
  const connection = connectTo(cluster.store);
  const [row] = await connection.query<{ version: number; since: number }>(
    'select max(version) as version, max(since) as since from cosession_compatibility',
  );
  await connection.close();
  return row;
}

const headers = () => ({
  authorization: `Bearer ${cluster.token}`,
  connection: 'close',
  'content-type': 'application/json',
});

/** Sends a prompt through the balancer, and reads its turn to the end. */
async function ask(text: string): Promise<unknown> {
  const response = await until(async () => {
    const tried = await fetch(`${cluster.balancer.base}/tasks/chat/messages/stream`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ content: { text } }),
    });
    if (tried.status === 200) return tried;
    // A busy machine may take longer to check a token than the server waits for it.
    expect(await tried.json()).toMatchObject({ error: { code: 'store-unavailable' } });
    return undefined;
  });
  return (await eventsOf(response)).at(-1)?.data['state'];
}

test('servers of this release and the next one replace each other one by one, in both orders, and nothing is lost', async () => {
  const before = await schema();
  const [first, second] = [cluster.at(0), cluster.at(1)];
  for (const id of ['chat', 'waiting']) expect((await first.post('tasks', { contextId: id })).status).toBe(201);
  const asker = await cluster.watch(second, 'taskId=waiting&protocol=endpoint');
  await asker.prompt('touch it');
  const question = await asker.pending();
  const prompts = ['at the start'];
  expect(await ask('at the start')).toBe('completed');

  const replace = async (old: ServeProcess, release: keyof typeof releases): Promise<ServeProcess> => {
    const fresh = await cluster.add([], releases[release]);
    const say = async (text: string): Promise<void> => {
      prompts.push(text);
      expect(await ask(text)).toBe('completed');
    };
    await say(`beside ${release} ${prompts.length}`);
    old.kill('SIGTERM');
    expect(await old.exit).toBe(0);
    await say(`without the old one ${prompts.length}`);
    const waiting: unknown = await (await fetch(`${fresh.base}/tasks/waiting`)).json();
    expect(waiting).toMatchObject({ state: 'input-required' });
    return fresh;
  };
  const third = await replace(first, 'next');
  const after = await schema();
  expect(after).toEqual({ version: (before?.version ?? 0) + 1, since: before?.version });
  const fourth = await replace(second, 'next');
  const fifth = await replace(third, 'this');
  const last = await replace(fourth, 'this');
  expect(await schema()).toEqual(after);

  const watcher = await cluster.watch(fifth, 'taskId=waiting&protocol=endpoint');
  expect(await watcher.answer(question['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });
  await watcher.state('completed');
  expect(readFileSync(join(cluster.workspace, 'it.txt'), 'utf8')).toBe('it\n');
  const story = await cluster.watch(last, 'taskId=chat&protocol=endpoint&after=0');
  const told = prompts.map((text) => `You said: ${text}`).join('');
  await until(() => story.text.length >= told.length);
  expect(story.text).toBe(told);
});
