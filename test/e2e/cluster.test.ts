import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { all, type Transport } from '../support/a2a/transport.js';
import { AcpClient } from '../support/acp-client.js';
import { startCluster } from '../support/clustered-servers.js';
import { useCluster } from '../support/use-cluster.js';
import { startModelServer } from '../support/model-server.js';
import { scriptOf, twoLines } from '../support/scripts.js';
import type { ServeProcess } from '../support/serve-process.js';
import { eventsOf, readUntil } from '../support/sse.js';
import { until } from '../support/until.js';
import { usePostgres } from '../support/use-postgres.js';
import { openWebhook } from '../support/webhook.js';
import type { WireClient, WireEvent } from '../support/wire-client.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];
const model = await startModelServer(
  scriptOf({
    'touch one': shell('echo one >> one.txt'),
    'touch two': shell('echo two >> two.txt'),
    'wait for it': shell(twoLines),
  }),
);
afterAll(() => model.close());
const database = usePostgres();
const webhook = await openWebhook();
afterAll(() => webhook.close());
/** A busy machine may be late to renew a lease. Nobody is found dead before it was watched for one, and clients wait 15 s. */
const patient = ['--lease-seconds', '10'];
const cluster = useCluster(
  {
    modelUrl: model.url,
    args: ['--push-allow', webhook.url, ...patient],
  },
  database,
);

const at = (index: number): ServeProcess => cluster.at(index);

/** A task that the first server runs. */
async function newTask(id: string): Promise<void> {
  expect((await at(0).post('tasks', { contextId: id })).status).toBe(201);
}

/** Everyone in the task, one on each server. */
async function watchers(id: string): Promise<[WireClient, WireClient, WireClient]> {
  const watch = (index: number) => cluster.watch(at(index), `taskId=${id}&protocol=endpoint&client=c${index}`);
  return [await watch(0), await watch(1), await watch(2)];
}

const story = (client: WireClient): WireEvent[] =>
  client.seen.filter(({ seq, kind }) => seq !== undefined && kind !== 'SNAPSHOT');

test('two servers without NATS: LISTEN and NOTIFY of the database, also for what is larger than a notice', async () => {
  const store = await database.server.newPlace();
  const pair = await startCluster({ modelUrl: model.url, store, bus: 'postgres', count: 2, args: patient });
  const [first, second] = pair.servers as [ServeProcess, ServeProcess];
  await first.post('tasks', { contextId: 'one' });
  const [a, b] = [await pair.watch(first, 'taskId=one'), await pair.watch(second, 'taskId=one')];
  const long = `ends with ${'ü'.repeat(50_000)}!`;
  expect(await b.prompt(long)).toMatchObject({ result: { accepted: true } });
  for (const client of [a, b]) await client.state('completed');
  expect([a.text, b.text]).toEqual([`You said: ${long}`, `You said: ${long}`]);
  await b.prompt('touch one');
  const asked = await a.pending();
  const answers = await Promise.all([a, b].map((client) => client.answer(asked['tool_call_id'], 'proceed_once')));
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
  await pair.stop();
});

describe('three servers on one store and one bus', () => {
  test('clients of every server prompt, watch, answer and cancel in one task, and read the same story', async () => {
    await newTask('shared');
    const [a, b, c] = await watchers('shared');
    expect(await b.prompt('hello from b')).toMatchObject({ result: { accepted: true, position: 0 } });
    for (const client of [a, b, c]) await client.state('completed');
    expect([a.text, b.text, c.text]).toEqual(Array(3).fill('You said: hello from b'));

    await c.prompt('touch one');
    const asked = await b.pending();
    const answers = await Promise.all([a, b, c].map((client) => client.answer(asked['tool_call_id'], 'proceed_once')));
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(2);
    const winner = (await c.tool('SUCCEEDED'))['metadata'];
    for (const { error } of refused)
      expect(error).toMatchObject({
        data: { code: 'already-answered', resolvedBy: (winner as { resolvedBy: object }).resolvedBy },
      });
    await until(() => [a, b, c].every((client) => story(client).at(-1)?.['state'] === 'completed'));
    expect(readFileSync(join(cluster.workspace, 'one.txt'), 'utf8')).toBe('one\n');

    await b.prompt('wait for it');
    const question = await until(() =>
      a.seen.findLast(
        (event) => event['confirmation_request'] !== undefined && event['tool_call_id'] !== asked['tool_call_id'],
      ),
    );
    expect(await c.answer(question['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });
    await until(() => b.seen.some((event) => JSON.stringify(event).includes('line 1')));
    expect(await b.call('tasks/cancel', { id: 'shared' })).toMatchObject({ result: { accepted: true } });
    await c.state('canceled');
    await until(() => [a, b, c].every((client) => story(client).at(-1)?.['state'] === 'canceled'));
    expect(story(b)).toEqual(story(a));
    expect(story(c)).toEqual(story(a));

    // A client that comes back to another server continues after its cursor.
    const later = await cluster.watch(at(2), 'taskId=shared&protocol=endpoint&after=3');
    await until(() => later.seen.length >= story(a).length - 3);
    expect(story(later)).toEqual(story(a).filter(({ seq = 0 }) => seq > 3));
  });

  test('A2A: a task that one server runs is found, followed, answered, listed and canceled at the others', async () => {
    const [first, second, third] = [0, 1, 2].map((index) => jsonRpc(at(index).base, '1.0')) as [
      Transport,
      Transport,
      Transport,
    ];
    const asked = await first.send({ text: 'touch two', contextId: 'a2a' });
    expect(asked).toMatchObject({ state: 'input-required', contextId: 'a2a' });
    const { id = '' } = asked;
    await third.webhooks.create(id, { id: 'hook', url: webhook.url });
    expect(await second.webhooks.list(id)).toMatchObject([{ id: 'hook', url: webhook.url }]);
    const followed = all(second.subscribe(id));
    const [callId] = /run_shell_command__\w+/.exec(asked.texts.join('')) ?? [];
    await third.send({ taskId: id, data: { tool_call_id: callId, selected_option_id: 'proceed_once' } });
    expect((await followed).at(-1)).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(cluster.workspace, 'two.txt'), 'utf8')).toBe('two\n');
    for (const client of [first, second, third]) {
      expect(await client.get(id)).toMatchObject({ id, state: 'completed' });
      expect((await client.list?.({ contextId: 'a2a' }))?.tasks).toMatchObject([{ id, state: 'completed' }]);
    }
    await until(() => webhook.posted.some(({ text }) => text.includes('TASK_STATE_COMPLETED')));

    const next = await second.send({ text: 'touch two', contextId: 'a2a' });
    expect(await third.cancel(next.id ?? '')).toMatchObject({ state: 'canceled' });
    expect(await first.get(next.id ?? '')).toMatchObject({ state: 'canceled' });
  });

  test('through the balancer: HTTP with its streams, the list, and a task that is deleted for everyone', async () => {
    const { base } = cluster.balancer;
    const headers = { authorization: `Bearer ${cluster.token}`, connection: 'close' };
    const post = (path: string, body: unknown) =>
      fetch(`${base}/${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const get = async (path: string) => (await fetch(`${base}/${path}`, { headers })).json();
    const changes = await Promise.all(cluster.servers.map((server) => fetch(`${server.base}/tasks/events`)));
    const removed = changes.map((response) => readUntil(response, ({ event }) => event === 'removed'));
    await post('tasks', { contextId: 'http' });
    for (const text of ['one', 'two', 'three', 'four']) {
      const events = await eventsOf(await post('tasks/http/messages/stream', { content: { text } }));
      expect(events.at(-1)?.data).toMatchObject({ kind: 'STATE_CHANGE', state: 'completed' });
      expect(await get('tasks/http')).toMatchObject({ state: 'completed', title: 'one' });
    }
    const [, b, c] = await watchers('http');
    const gone = [b, c].map(({ socket }) => once(socket, 'close'));
    const response = await fetch(`${at(2).base}/tasks/http`, { method: 'DELETE' });
    expect(response.status).toBe(204);
    await Promise.all(gone);
    expect(await get('tasks/http')).toMatchObject({ error: { code: 'unknown-task' } });
    for (const events of await Promise.all(removed)) {
      expect(events.some(({ event, data }) => event === 'row' && data['id'] === 'http')).toBe(true);
      expect(events.at(-1)?.data).toEqual({ id: 'http' });
    }
  });

  test('a token that is made once works at every server, until it is revoked', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const line = ['dist/main.js', 'token', ...args, '--store', cluster.store];
      return (await promisify(execFile)(process.execPath, line)).stdout;
    };
    const made = await run('create', '--name', 'bob', '--scope', 'view', '--json');
    const { token } = JSON.parse(made) as { token: string };
    const statuses = () =>
      Promise.all(
        cluster.servers.map(async ({ base }) => {
          const response = await fetch(`${base}/tasks`, { headers: { authorization: `Bearer ${token}` } });
          return response.status;
        }),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await run('list')).toMatch(/bob +token +view/);
    await run('revoke', 'bob');
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test('ACP: editors on two servers share a session, its settings and its questions', async () => {
    const connect = (index: number) =>
      AcpClient.connect(`${at(index).base.replace('http', 'ws')}/acp`, { join: false, name: `editor ${index}` });
    const [alice, bob] = [await connect(0), await connect(1)];
    await alice.join(cluster.workspace);
    const { configOptions } = await bob.load(alice.sessionId);
    expect(configOptions?.map(({ id }) => id)).toContain('model');
    await bob.agent.request('session/set_config_option', {
      sessionId: bob.sessionId,
      configId: 'model',
      value: 'gemini-2.5-pro',
    });
    await alice.find((update) => update.sessionUpdate === 'config_option_update');
    const prompted = bob.prompt('touch one');
    const [asked] = [await alice.question(), await bob.question()];
    asked.answer('proceed_once');
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    await until(() => bob.asked.every(({ wasWithdrawn }) => wasWithdrawn));
    await until(() => alice.heard === 'touch one' && alice.text === bob.text);
    for (const client of [alice, bob]) client.close();
  });

  test('kill -9 of the server that runs a task: its clients elsewhere notice nothing, and the question stays', async () => {
    await newTask('orphan');
    const [, b, c] = await watchers('orphan');
    await b.prompt('touch two');
    const asked = await c.pending();
    expect(await (await fetch(`${at(1).base}/cluster`)).json()).toMatchObject({ servers: [{}, {}, {}] });
    at(0).kill('SIGKILL');
    await at(0).exit;
    expect(await b.answer(asked['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });
    for (const client of [b, c]) await client.state('completed');
    expect(story(b)).toEqual(story(c));
    expect([b, c].map(({ socket }) => socket.readyState)).toEqual([1, 1]);
    const metrics = await Promise.all([1, 2].map(async (index) => (await fetch(`${at(index).base}/metrics`)).text()));
    expect(metrics.join()).toMatch(/cosession_cluster_routed_total\{op="answer",outcome="\w+"\}/);
    expect(readFileSync(join(cluster.workspace, 'two.txt'), 'utf8')).toBe('two\ntwo\n');
  });

  test('SIGTERM: what waits is taken over at once, and nobody is refused', async () => {
    const joined = await cluster.add();
    await at(1).post('tasks', { contextId: 'moved' });
    const watcher = await cluster.watch(joined, 'taskId=moved&protocol=endpoint');
    await watcher.prompt('touch one');
    const asked = await watcher.pending();
    at(1).kill('SIGTERM');
    expect(await at(1).exit).toBe(0);
    expect(await watcher.answer(asked['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });
    await watcher.state('completed');
  });
});
