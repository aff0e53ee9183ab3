import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resolving, startBrowser, trusting } from '../support/browser.js';
import { makeAuthority } from '../support/certificates.js';
import { debianProgram } from '../support/debian-program.js';
import { freePort } from '../support/free-port.js';
import { startNginx } from '../support/nginx.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { swap } from '../support/swap.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';
import { WireClient } from '../support/wire-client.js';

const name = 'agents.example.com';
const authority = makeAuthority();
const { certFile, keyFile, cert } = authority.issue(`/CN=${name}`, [`DNS:${name}`]);
const bearer = { authorization: 'Bearer test-token' };

/** The example of docs/deploy.md in this language. */
function example(language: string): string {
  const found = new RegExp('```' + language + '\n(.*?)```', 's').exec(readFileSync('docs/deploy.md', 'utf8'))?.[1];
  if (found === undefined) throw new Error(`docs/deploy.md has no example for ${language}`);
  return found;
}

type Start = (ports: { readonly proxy: number; readonly server: number }) => ChildProcess;

/** As the page shows it; only ports and places are ours. */
const nginx =
  (changes: Readonly<Record<string, string>> = {}): Start =>
  ({ proxy, server }) =>
    startNginx(
      swap(example('nginx'), {
        ...changes,
        'listen 443 ssl': `listen 127.0.0.1:${proxy} ssl`,
        '/etc/ssl/agents.pem': certFile,
        '/etc/ssl/agents.key': keyFile,
        '127.0.0.1:41242': `127.0.0.1:${server}`,
      }),
    );

const caddy: Start = ({ proxy, server }) => {
  const folder = temporaryFolder();
  const site = swap(example('caddy'), {
    [`${name} {`]: `https://${name}:${proxy} {\n  bind 127.0.0.1\n  tls ${certFile} ${keyFile}`,
    '127.0.0.1:41242': `127.0.0.1:${server}`,
  });
  writeFileSync(join(folder, 'Caddyfile'), `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(debianProgram('caddy', 'usr/bin/caddy'), ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
    cwd: folder,
    env,
  });
};

describe.each<readonly [string, Start]>([
  ['nginx', nginx()],
  ['nginx that removes the path', nginx({ '127.0.0.1:41242;': '127.0.0.1:41242/;' })],
  ['Caddy', caddy],
])('behind %s, as docs/deploy.md configures it', (_name, start) => {
  let served: ServedTasks;
  let proxy: ChildProcess;
  let port = 0;
  const clients: WireClient[] = [];
  const reach = { servername: name, ca: authority.ca };

  beforeAll(async () => {
    served = await serveTasks({
      ...wholePage(),
      publicUrl: `https://${name}/team/`,
      auth: { trustedProxies: ['127.0.0.1'] },
    });
    port = await freePort();
    proxy = start({ proxy: port, server: served.server.port });
    await until(async () => (await get('.well-known/agent-card.json').catch(() => undefined))?.status === 200);
  });
  afterEach(() => clients.splice(0).forEach((client) => client.close()));
  afterAll(async () => {
    proxy.kill();
    await served.stop();
  });

  function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const sent = request({
      ...reach,
      host: '127.0.0.1',
      agent: false,
      port,
      method,
      path: `/team/${path}`,
      headers: { host: name, 'content-type': 'application/json', ...headers },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return once(sent, 'response') as Promise<[IncomingMessage]>;
  }

  async function get(path: string, headers: Record<string, string> = {}) {
    const [response] = await call('GET', path, headers);
    const parts: Buffer[] = await response.toArray();
    return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() };
  }

  test('the card names the public address, and everything else needs a token', async () => {
    expect((await get('.well-known/agent-card.json')).text).toContain(`"wss://${name}/team/ws"`);
    expect((await get('tasks')).status).toBe(401);
    expect((await get('tasks', bearer)).status).toBe(200);
  });

  test('events are passed on one by one, not when the turn is over', async () => {
    const body = { userMessage: { kind: 'text-content', text: 'hello' }, contextId: 'streamed' };
    const [response] = await call('POST', 'message/stream', bearer, body);
    const lines = createInterface(response)[Symbol.asyncIterator]();
    const readUntil = async (text: string): Promise<void> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the stream ended before "${text}"`);
        if (value.includes(text)) return;
      }
    };
    const engine = await until(() => [...served.tasks.engines.values()].find(({ started }) => started.length > 0));
    for (const word of ['one', 'two', 'three']) {
      engine.say(word);
      await readUntil(word);
    }
    engine.end();
    await readUntil('completed');
  });

  test('the page works below the path: it pairs, prompts and is installed there', async () => {
    const [shared] = await call('POST', 'ui/share', bearer, { role: 'work' });
    const { url } = JSON.parse(Buffer.concat(await shared.toArray()).toString()) as { url: string };
    expect(url).toMatch(/^https:\/\/agents\.example\.com\/team\/#pair=/);
    const browser = await startBrowser(resolving(name, port), trusting(cert));
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.fill('.composer textarea', 'hello');
    await page.press('.composer textarea', 'Enter');
    const taskId = await until(() => new URL(page.url()).searchParams.get('task'));
    (await served.started(taskId)).say('hello through the proxy');
    await page.locator('.thread').getByText('hello through the proxy').waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ path: '/team/', secure: true, httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')).toBe(
      `https://${name}/team/`,
    );
    await browser.close();
  });

  test('WebSockets work', async () => {
    await served.tasks.open('watched');
    const client = await WireClient.connect(`wss://127.0.0.1:${port}/team/ws?taskId=watched`, {
      ...reach,
      headers: { ...bearer, host: name, origin: `https://${name}` },
    });
    clients.push(client);
    await client.find(({ kind }) => kind === 'SNAPSHOT');
    expect((await client.prompt('hello'))['result']).toMatchObject({ accepted: true });
  });
});
