import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { useCluster } from '../support/use-cluster.js';
import { freePort } from '../support/free-port.js';
import { undocumented } from '../support/known-events.js';
import { mainScript } from '../support/live.js';
import { startModelServer } from '../support/model-server.js';
import { startNginx } from '../support/nginx.js';
import { Screen } from '../support/screen.js';
import { eventsOf } from '../support/sse.js';
import { swap } from '../support/swap.js';
import { acpxVersion, installed } from '../support/third-party.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';
import { clientsOfASession, clientsScript } from './suites/clients-of-a-session.js';
import { editorOnAServer } from './suites/editor-on-a-server.js';

const model = await startModelServer(clientsScript);
afterAll(() => model.close());
const cluster = useCluster({ modelUrl: model.url, args: ['--lease-seconds', '10'] });

const headers = () => ({ authorization: `Bearer ${cluster.token}` });

// The first: the balancer sends its first connection to the first server, which then runs the task.
test('an editor works through the balancer, and goes on after its server was killed', async () => {
  await editorOnAServer({
    base: () => cluster.balancer.base,
    headers: { ...headers(), connection: 'close' },
    workspace: cluster.workspace,
    async crash() {
      cluster.at(0).kill('SIGKILL');
      await cluster.at(0).exit;
    },
  });
  await cluster.add();
});

describe('clients of one session, each connection at the next of three servers', () => {
  const clients: WireClient[] = [];
  afterEach(() => {
    const gone = clients.splice(0);
    for (const client of gone) client.close();
    expect(gone.flatMap((client) => undocumented(client.seen))).toEqual([]);
  });

  clientsOfASession({
    async connect(query = '') {
      const base = cluster.balancer.base.replace('http', 'ws');
      const made = await fetch(`${cluster.balancer.base}/tasks`, {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ contextId: 'shared' }),
      });
      expect(made.status).toBe(201);
      const client = await WireClient.connect(`${base}/ws?taskId=shared&protocol=endpoint${query.replace('?', '&')}`, {
        headers: headers(),
      });
      clients.push(client);
      return client;
    },
    workspace: () => cluster.workspace,
  });
});

test('acpx through our bridge and the balancer: it prompts, is asked, and the tool runs', async () => {
  const agent = `${process.execPath} ${mainScript} acp ${cluster.balancer.base}/ --token ${cluster.token}`;
  const screen = new Screen(
    process.execPath,
    [installed('acpx', acpxVersion), '--agent', agent, 'exec', 'touch four'],
    {
      cwd: cluster.workspace,
      env: { HOME: join(cluster.workspace, '..', 'acpx-home') },
    },
  );
  try {
    await screen.waitFor(/touch four\.txt/);
    await screen.waitFor(/\[y\/N\]|\(y\/N\)|y\/n/i);
    screen.type('y\r');
    expect(await screen.waitForExit()).toBe(0);
    expect(existsSync(join(cluster.workspace, 'four.txt'))).toBe(true);
  } finally {
    await screen.stop();
  }
});

test('nginx as deploy/cluster configures it passes on streams and WebSockets, past a server that is gone', async () => {
  const port = await freePort();
  const places = [0, 1, 2].map((index) => [`server-${index + 1}:41242`, new URL(cluster.at(index).base).host] as const);
  const site = swap(readFileSync('deploy/cluster/nginx.conf', 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${port};`,
    ...Object.fromEntries(places),
  });
  const nginx = startNginx(site);
  try {
    const base = `http://127.0.0.1:${port}`;
    const isUp = (): Promise<boolean> =>
      fetch(`${base}/health`, { headers: headers() }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp);
    const more = { ...headers(), 'content-type': 'application/json' };
    for (const text of ['one', 'two', 'three']) {
      const body = JSON.stringify({ contextId: 'proxied', userMessage: { kind: 'text-content', text } });
      const response = await fetch(`${base}/message/stream`, { method: 'POST', headers: more, body });
      expect((await eventsOf(response)).at(-1)?.data).toMatchObject({ state: 'completed' });
    }
    const client = await WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=proxied`, { headers: headers() });
    await client.prompt('four');
    await client.state('completed');
    client.close();
  } finally {
    nginx.kill();
  }
});
