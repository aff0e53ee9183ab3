import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { Tokens } from '../../src/auth/tokens.js';
import { openStoredTokens } from '../../src/stores/open-tokens.js';
import { AcpClient } from '../support/acp-client.js';
import { useCluster } from '../support/use-cluster.js';
import { startModelServer } from '../support/model-server.js';
import { browserAt, pair } from '../support/paired.js';
import { openPushService } from '../support/push-service.js';
import { scriptOf } from '../support/scripts.js';
import type { ServeProcess } from '../support/serve-process.js';
import { until } from '../support/until.js';
import type { WireClient } from '../support/wire-client.js';

const model = await startModelServer(
  scriptOf({ 'touch it': [say('I will run it.'), call('run_shell_command', { command: 'echo it >> it.txt' })] }),
);
afterAll(() => model.close());
const push = await openPushService();
afterAll(() => push.close());
const cluster = useCluster({
  modelUrl: model.url,
  args: ['--rate-limit', '1', '--rate-burst', '100', '--alert-allow', `${push.origin}/send`],
});

const at = (index: number): ServeProcess => cluster.at(index);

const acpAccept = { accept: 'application/json, text/event-stream' };

/** How many requests the caller has left at a server, after this one. */
async function left(index: number, token: string): Promise<number> {
  const response = await fetch(`${at(index).base}/ui/me`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
}

describe('a pairing code', () => {
  test('works at any server, once, even if two servers get it at the same moment', async () => {
    const owner = browserAt(at(0).base);
    const { json } = await owner.post('/ui/share', { role: 'watch' });
    const tries = await Promise.all(
      [0, 1, 2, 2].map((index) => browserAt(at(index).base).post('/ui/pair', { code: json['code'] })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    // A browser knows only the balancer, which takes it to another server with every request.
    const { base } = cluster.balancer;
    const halves = await pair(base, owner, { role: 'watch' }, 'phone');
    for (let number = 0; number < 3; number++)
      expect((await browserAt(base, halves).get('/ui/me')).json).toMatchObject({ name: 'phone' });
  });
});

describe('alerts of the page', () => {
  test('reach a browser that subscribed at another server, once for a question', async () => {
    const keys = await Promise.all(
      [0, 1, 2].map(async (index) => (await browserAt(at(index).base).get('/ui/push')).json['publicKey']),
    );
    expect(new Set(keys).size).toBe(1);
    const subscription = push.subscription();
    expect((await browserAt(at(1).base).post('/ui/push', { subscription })).status).toBe(201);
    await at(0).post('tasks', { contextId: 'alerted' });
    const watcher = await cluster.watch(at(2), 'taskId=alerted&protocol=endpoint');
    await watcher.prompt('touch it');
    await watcher.pending();
    await until(() => push.pushed.length > 0);
    const { endpoint } = subscription;
    await browserAt(at(2).base).post('/ui/push/test', { endpoint });
    expect(push.pushed.map(({ alert }) => alert)).toEqual([
      { n: 1, task: 'alerted' },
      { n: 0, task: '' },
    ]);
    await watcher.call('tasks/cancel', { id: 'alerted' });
    await watcher.state('canceled');
    watcher.socket.close();
  });
});

describe('ACP over HTTP', () => {
  test('works through the balancer: each request reaches another server than its connection', async () => {
    const headers = { authorization: `Bearer ${cluster.token}`, connection: 'close' };
    const editor = await AcpClient.connect(`${cluster.balancer.base}/acp`, { headers, join: false });
    await editor.join(cluster.workspace);
    const prompted = editor.prompt('touch it');
    (await editor.question()).answer('proceed_once');
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    expect(readFileSync(join(cluster.workspace, 'it.txt'), 'utf8')).toBe('it\n');
    expect(await editor.prompt(`say ${'ü'.repeat(100_000)}`)).toEqual({ stopReason: 'end_turn' });
    await until(() => editor.text.endsWith('ü'));
    editor.close();
    const metrics = await Promise.all(
      [0, 1, 2].map(async (index) => (await fetch(`${at(index).base}/metrics`)).text()),
    );
    expect(metrics.join()).toMatch(/cosession_cluster_routed_total\{op="acp-http",outcome="done"\} [1-9]/);
  });
});

describe('limits count for all servers', () => {
  test('what a caller uses at one server is gone at the others', async () => {
    const stored = await openStoredTokens(cluster.store);
    const token = await new Tokens(stored).create({ name: 'busy', scopes: ['view'] });
    await stored.close();
    await Promise.all(Array.from({ length: 60 }, () => left(0, token)));
    let asked = 0;
    await until(async () => {
      const [b, c] = [await left(1, token), await left(2, token)];
      asked++;
      return b < 50 && c < 50;
    });
    // Alone, each server would still grant 100.
    expect(asked).toBeLessThan(40);
  });

  test('wrong tokens and wrong pairing codes are counted wherever they are tried', async () => {
    const guess = async (index: number) => {
      const headers = { authorization: `Bearer cos_ada_${'x'.repeat(43)}` };
      return (await fetch(`${at(index).base}/tasks`, { headers })).status;
    };
    for (let number = 0; number < 10; number++) await guess(number % 2);
    const tried: number[] = [];
    await until(async () => tried.push(await guess(2)) && tried.at(-1) === 429);
    expect(tried.length).toBeLessThan(10);

    // Whoever comes through a proxy is not the owner.
    const stranger = (index: number) => browserAt(at(index).base, {}, { via: '1.1 proxy' });
    const guessCode = async (index: number) => (await stranger(index).post('/ui/pair', { code: 'AAAA-AAAA' })).status;
    for (let number = 0; number < 10; number++) await guessCode(number % 2);
    const codes: number[] = [];
    await until(async () => codes.push(await guessCode(2)) && codes.at(-1) === 429);
    expect(codes.length).toBeLessThan(10);
  });
});

describe('who is here', () => {
  const names = (client: WireClient): string[] => {
    const last = client.seen.findLast(({ kind }) => kind === 'SNAPSHOT' || kind === 'CLIENTS');
    return ((last?.['clients'] ?? []) as { name: string }[]).map(({ name }) => name);
  };

  test('has the clients of all servers, until they leave', async () => {
    await at(0).post('tasks', { contextId: 'met' });
    const watch = (index: number, name: string) =>
      cluster.watch(at(index), `taskId=met&protocol=endpoint&client=${name}`);
    const [ada, bob] = [await watch(0, 'ada'), await watch(1, 'bob')];
    await until(() => names(ada).join() === 'ada,bob' && names(bob).join() === 'ada,bob');
    const second = await watch(2, 'bob');
    const all = 'ada,bob,bob 2';
    await until(() => [ada, bob, second].every((client) => names(client).join() === all));
    bob.socket.close();
    await until(() => names(ada).length === 2 && names(second).length === 2);
    const { servers } = (await (await fetch(`${at(1).base}/cluster`)).json()) as { servers: { clients: number }[] };
    expect(servers.reduce((sum, { clients }) => sum + clients, 0)).toBe(2);
    const metrics = await (await fetch(`${at(0).base}/metrics`)).text();
    expect(metrics).toMatch(/cosession_cluster_told_total\{topic="used"\} [1-9]/);
  });

  test('loses those of a server that dies, and its ACP connections over HTTP become unknown', async () => {
    await at(0).post('tasks', { contextId: 'left' });
    const extra = await cluster.add();
    const ada = await cluster.watch(at(0), 'taskId=left&protocol=endpoint&client=ada');
    await cluster.watch(extra, 'taskId=left&protocol=endpoint&client=eve');
    await until(() => names(ada).join() === 'ada,eve');
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const opened = await extra.post('acp', { jsonrpc: '2.0', id: 1, method: 'initialize', params }, acpAccept);
    const id = opened.headers.get('acp-connection-id') ?? '';
    const list = { jsonrpc: '2.0', id: 2, method: 'session/list', params: {} };
    const withId = { ...acpAccept, 'acp-connection-id': id };
    expect((await at(1).post('acp', list, withId)).status).toBe(202);
    extra.kill('SIGKILL');
    await until(() => names(ada).join() === 'ada');
    expect((await at(1).post('acp', list, withId)).status).toBe(404);
  });
});
