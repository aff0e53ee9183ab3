import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { oidc } from '../../src/auth/oidc.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { checkBind } from '../../src/server/guards/access.js';
import { addressKey, addressReader } from '../../src/server/door/address.js';
import type { ServerSettings } from '../../src/server/open-server.js';
import { type ServedHub, serveHub, token as ownerToken } from '../support/served-hub.js';
import { serveTasks } from '../support/served-tasks.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let hub: ServedHub | undefined;
afterEach(async () => {
  await hub?.stop();
  hub = undefined;
});

async function open(
  settings: Partial<ServerSettings> = {},
): Promise<{ hub: ServedHub; folder: TokenFolder; ada: string }> {
  const folder = new TokenFolder(temporaryFolder());
  const ada = await folder.create({ name: 'ada', scopes: ['view', 'prompt'] });
  hub = await serveHub({}, { auth: { authenticators: [folder] }, ...settings });
  return { hub, folder, ada };
}

/** With a Host of one's own choice, which fetch does not allow. */
function statusOf(port: number, headers: Record<string, string>, path = '/tasks/session-1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('[003-11.2] where a server may listen', () => {
  test.each([
    ['127.0.0.1', false, true],
    ['localhost', false, true],
    ['::1', false, true],
    ['0.0.0.0', false, false],
    ['::', false, false],
    ['192.0.2.7', false, false],
    ['0.0.0.0', true, true],
  ])('%s, with credentials: %s, allowed: %s', (host, hasCredentials, isAllowed) => {
    const check = (): void => checkBind(host, hasCredentials);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(/cosession token create --name <name> --scope prompt,approve/);
  });

  test('openServer refuses before it listens', async () => {
    await expect(serveTasks({ host: '0.0.0.0' })).rejects.toThrow(/0\.0\.0\.0 can be reached from other machines/);
  });

  test('where others can reach it the user of this machine needs a token too', async () => {
    const { hub: server, ada } = await open({ host: '0.0.0.0' });
    const { port } = server.server;
    const host = `127.0.0.1:${port}`;
    expect(await statusOf(port, { host })).toBe(401);
    expect(await statusOf(port, { host, ...bearer(ada) })).toBe(200);
    expect(await statusOf(port, { host, ...bearer(ownerToken) })).toBe(200);
    expect(await statusOf(port, { host }, '/.well-known/agent-card.json')).toBe(200);
    expect(await statusOf(port, { host: `evil.example:${port}`, ...bearer(ada) })).toBe(403);
  });
});

describe('on loopback', () => {
  test('the same user needs no token, and a token still limits who brings it', async () => {
    const { hub: server, ada } = await open();
    const send = (headers: Record<string, string>) =>
      server.post(
        '',
        { jsonrpc: '2.0', id: 1, method: 'command/execute', params: { command_path: ['stats'] } },
        headers,
      );
    expect((await send({})).status).toBe(200);
    const response = await send(bearer(ada));
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { id: 1, error: { code: -32070, message: expect.stringContaining('needs the scope admin') as string } },
    ]);
  });

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'what a proxy passes on (%s) is nobody we know',
    async (name) => {
      const { hub: server, ada } = await open();
      const { port } = server.server;
      const host = `127.0.0.1:${port}`;
      expect(await statusOf(port, { host, [name]: '203.0.113.1' })).toBe(403);
      expect(await statusOf(port, { host, [name]: '203.0.113.1', ...bearer(ada) })).toBe(200);
    },
  );
});

describe('names of a server', () => {
  test.each([
    ['agent.example', 200],
    ['AGENT.example', 200],
    ['agent.example:<port>', 200],
    ['agent.example:8443', 403],
    ['other.example:8443', 200],
    ['other.example', 403],
    ['evil.example', 403],
  ])('Host %s → %s', async (host, status) => {
    const { hub: server, ada } = await open({ allowHosts: ['Agent.example', 'other.example:8443'] });
    const { port } = server.server;
    expect(await statusOf(port, { host: host.replace('<port>', String(port)), ...bearer(ada) })).toBe(status);
  });

  test('the address in the card is one of them', async () => {
    const { hub: server, ada } = await open({ publicUrl: 'https://agent.example/' });
    const { port } = server.server;
    expect(await statusOf(port, { host: 'agent.example', ...bearer(ada) })).toBe(200);
    expect(await statusOf(port, { host: 'agent.example' })).toBe(401);
  });

  test('its own pages may call it, by http and behind a proxy by https', async () => {
    const { hub: server, ada } = await open({ allowHosts: ['agent.example'] });
    const call = (origin: string) => statusOf(server.server.port, { host: 'agent.example', origin, ...bearer(ada) });
    expect(await call('https://agent.example')).toBe(200);
    expect(await call('https://evil.example')).toBe(403);
  });
});

test('the card says how to identify oneself, and where', async () => {
  const issuer = oidc({ issuer: 'https://id.example', audience: 'cosession' });
  const folder = new TokenFolder(temporaryFolder());
  const auth = { authenticators: [folder, issuer] };
  hub = await serveHub({}, { auth, requireToken: true, publicUrl: 'https://agent.example/' });
  const card = await (await fetch(`http://127.0.0.1:${hub.server.port}/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({
    url: 'https://agent.example/',
    securitySchemes: {
      bearer: { type: 'http', scheme: 'Bearer' },
      openIdConnect: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
      },
    },
    security: [{ bearer: [] }, { openIdConnect: [] }],
  });
});

describe('refusals tell HTTP clients what to do (RFC 6750)', () => {
  test.each([
    ['no token', undefined, 401, 'Bearer realm="cosession"'],
    ['a wrong token', 'wrong', 401, 'Bearer realm="cosession", error="invalid_token"'],
  ])('%s', async (_name, token, status, challenge) => {
    const { hub: server } = await open({ requireToken: true });
    const response = await fetch(`${server.base}/tasks/session-1`, {
      headers: token === undefined ? {} : bearer(token),
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, challenge]);
  });

  test('a scope that is missing', async () => {
    const { hub: server, ada } = await open();
    const response = await fetch(`${server.base}/nothing`, { headers: bearer(ada) });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="cosession", error="insufficient_scope", scope="admin"',
    ]);
  });
});

describe('a token that is revoked', () => {
  test('closes the sockets and streams that came with it, and no others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { hub: server, folder, ada } = await open();
    const bob = await folder.create({ name: 'bob', scopes: ['view'] });
    const [hers, his] = [await server.connect(`?token=${ada}`), await server.connect(`?token=${bob}`)];
    const stream = await server.post(
      'tasks/session-1/messages/stream',
      { message: { content: { text: 'hi' } } },
      bearer(ada),
    );
    const reading = stream.text().then(() => 'the end', String);
    await folder.revoke('ada');
    const closed = once(hers.socket, 'close');
    vi.advanceTimersByTime(5000);
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1008, 'the token is no longer valid']);
    expect(await reading).toContain('terminated');
    expect(await his.call('tasks/get')).toHaveProperty('result');
  });
});

describe('addresses', () => {
  test.each([
    ['nobody is trusted', [], '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['a trusted proxy', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['two trusted proxies', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['what the client wrote itself', ['10.0.0.1'], '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['a trusted proxy that says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['a trusted proxy that says nonsense', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
    ['IPv4 inside IPv6', ['10.0.0.1'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['IPv6', ['2001:db8::/32'], '2001:db8::1', '2001:db9::5', '2001:db9::5'],
  ])('%s', (_name, trusted, peer, forwarded, expected) => {
    expect(addressReader(trusted)(peer, forwarded)).toBe(expected);
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('a network that is none is refused', () => {
    expect(() => addressReader(['10.0.0.0/99'])).toThrow(/not an address or a network/);
    expect(() => addressReader(['proxy.example'])).toThrow(/not an address or a network/);
  });
});
