import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { browserAt, type Halves, pair } from '../support/paired.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let base = '';
const folder = temporaryFolder();
const tokens = new TokenFolder(folder);
const joined: string[] = [];
const authorization = `Bearer ${token}`;
const owner = () => browserAt(base, {}, { authorization });

beforeAll(async () => {
  const presence = {
    joined: () => {},
    left: () => {},
    paired: (label: string, role: string) => void joined.push(`${label}: ${role}`),
  };
  const auth = { authenticators: [tokens] };
  const devices = new Devices(tokens, 'here');
  hub = await serveHub({}, { requireToken: true, devices, auth, presence });
  ({ base } = hub);
});
afterAll(() => hub.stop());

const scopesOf = async (halves: Partial<Halves>, more: NodeJS.Dict<string> = {}): Promise<unknown> => {
  const { status, json } = await browserAt(base, halves, more).get('/ui/me');
  return status === 200 ? json['scopes'] : status;
};

describe('a code', () => {
  test('works once, whatever its case and spaces', async () => {
    const { json: shared } = await owner().post('/ui/share', { role: 'watch' });
    const code = String(shared['code']);
    expect(code).toMatch(/^[A-HJKMNP-TV-Z2-9]{8}$/);
    expect(shared['url']).toBe(`${base}/#pair=${code}`);
    const typed = `${code.slice(0, 4)} ${code.slice(4).toLowerCase()}`;
    expect((await browserAt(base).post('/ui/pair', { code: typed })).status).toBe(200);
    const again = await browserAt(base).post('/ui/pair', { code });
    expect(again).toMatchObject({ status: 403, json: { error: { code: 'bad-code' } } });
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  test('gives the cookie to no script, to no other site and only for as long as it was shared', async () => {
    const { json } = await owner().post('/ui/share', { role: 'watch', expiresIn: 600 });
    const { headers } = await browserAt(base).post('/ui/pair', { code: json['code'] });
    expect(String(headers['set-cookie'])).toMatch(
      /^cosession-\d+=cos_[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=(?:599|600)$/,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  test('over https the cookie is bound to the host', async () => {
    const { json } = await owner().post('/ui/share', { role: 'watch' });
    const https = browserAt(base, {}, { origin: base.replace('http:', 'https:') });
    const { headers } = await https.post('/ui/pair', { code: json['code'] });
    expect(String(headers['set-cookie'])).toMatch(/^__Host-cosession-\d+=.*; Path=\/; Max-Age=\d+; Secure$/);
  });

  test('tells the terminal who joined', async () => {
    await pair(base, owner(), { role: 'approve' }, "ada's\u001b[31m phone");
    expect(joined.at(-1)).toBe("ada's phone: approve");
  });

  test.each([
    ['no role', {}],
    ['the role of an owner', { role: 'admin' }],
    ['no end', { role: 'watch', expiresIn: 0 }],
    ['an end in a year', { role: 'watch', expiresIn: 365 * 24 * 3600 }],
    ['another task', { role: 'watch', taskId: 'other' }],
  ])('is not made for %s', async (_what, body) => {
    expect((await owner().post('/ui/share', body)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a paired browser', () => {
  let watch: Halves;
  let work: Halves;
  beforeAll(async () => {
    watch = await pair(base, owner(), { role: 'watch' });
    work = await pair(base, owner(), { role: 'work' });
  });

  test('needs both halves, of the same pairing', async () => {
    expect(await scopesOf(watch)).toEqual(['view']);
    expect(await scopesOf(work)).toEqual(['view', 'prompt', 'approve']);
    expect(await scopesOf({ cookie: watch.cookie })).toBe(401);
    expect(await scopesOf({ page: watch.page })).toBe(401);
    expect(await scopesOf({ cookie: watch.cookie, page: work.page })).toBe(401);
    expect(await scopesOf({ cookie: work.cookie, page: watch.page })).toBe(401);
    expect(await scopesOf({ ...work, page: '' })).toBe(401);
    expect(await scopesOf({ ...work, page: `${work.page}.${work.page}` })).toBe(401);
  });

  test('does not count where a token is sent', async () => {
    expect(await scopesOf(watch, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await scopesOf(watch, { authorization })).toContain('admin');
    expect(await scopesOf(watch, { authorization: 'Basic eDp5' })).toBe(401);
  });

  test('cannot send its halves as a token', async () => {
    const [, cookie = ''] = watch.cookie.split('=');
    for (const secret of [cookie, watch.page, `${cookie}.${watch.page}`])
      expect(await scopesOf({}, { authorization: `Bearer ${secret}` })).toBe(401);
  });

  test('connects with both halves only', async () => {
    const connect = (headers: Record<string, string>, protocols: string[]) =>
      hub.connect('', { headers, protocols }).then(
        ({ socket }) => socket.protocol,
        (error: Error) => /\d{3}/.exec(error.message)?.[0],
      );
    const { cookie, page } = watch;
    expect(await connect({ cookie }, ['cosession', `page.${page}`])).toBe('cosession');
    expect(await connect({ cookie }, [`page.${page}`, 'cosession'])).toBe('cosession');
    expect(await connect({ cookie }, ['cosession'])).toBe('401');
    expect(await connect({}, ['cosession', `page.${page}`])).toBe('401');
    expect(await connect({ cookie, origin: 'http://127.0.0.1:1' }, ['cosession', `page.${page}`])).toBe('403');
  });

  test('may do what its role says, and share no more than that', async () => {
    const share = async (halves: Halves, role: string): Promise<number> =>
      (await browserAt(base, halves).post('/ui/share', { role })).status;
    const approve = await pair(base, owner(), { role: 'approve' });
    expect([await share(watch, 'watch'), await share(approve, 'watch')]).toEqual([403, 403]);
    expect([await share(work, 'watch'), await share(work, 'work')]).toEqual([201, 201]);
    expect((await browserAt(base, watch).post('/tasks')).status).toBe(403);
    expect((await browserAt(base, work).post('/tasks')).status).toBe(201);
  });

  test('shares for no longer than it lasts itself', async () => {
    const brief = await pair(base, owner(), { role: 'work', expiresIn: 60 });
    const { json } = await browserAt(base, brief).post('/ui/share', { role: 'watch', expiresIn: 7 * 24 * 3600 });
    expect(Date.parse(String(json['expiresAt']))).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('does not see what others have paired', async () => {
    const devices = async (halves: Halves) => {
      const { json } = await browserAt(base, halves).get('/ui/devices');
      return json['devices'] as { isCurrent: boolean; role: string; id: string }[];
    };
    expect(await devices(watch)).toMatchObject([{ isCurrent: true, role: 'watch' }]);
    const [own] = await devices(work);
    expect((await browserAt(base, watch).remove(`/ui/devices/${own?.id}`)).status).toBe(404);
    expect(await scopesOf(work)).toContain('prompt');
  });

  test('is listed with the tokens', async () => {
    const found = (await tokens.list()).tokens.filter(({ kind }) => kind === 'device');
    expect(found.length).toBeGreaterThan(3);
    expect(JSON.stringify(found)).not.toContain(watch.page);
  });
});

describe('the end of a pairing', () => {
  test('closes its sockets with 1008, and those of whom it shared with', async () => {
    const parent = await pair(base, owner(), { role: 'work' }, 'parent');
    const child = await pair(base, browserAt(base, parent), { role: 'watch' }, 'child');
    const sockets = await Promise.all(
      [parent, child].map(({ cookie, page }) =>
        hub.connect('', { headers: { cookie }, protocols: ['cosession', `page.${page}`] }),
      ),
    );
    const codes: number[] = [];
    for (const { socket } of sockets) socket.once('close', (code) => codes.push(code));
    const { json } = await owner().get('/ui/devices');
    const { id } = (json['devices'] as { id: string; name: string }[]).find(({ name }) => name === 'parent') ?? {};
    expect((await owner().remove(`/ui/devices/${id}`)).status).toBe(204);
    await until(() => codes.length === 2);
    expect(codes).toEqual([1008, 1008]);
    expect([await scopesOf(parent), await scopesOf(child)]).toEqual([401, 401]);
    expect((await owner().remove(`/ui/devices/${id}`)).status).toBe(404);
  });

  test('makes the codes useless that it gave out', async () => {
    const parent = await pair(base, owner(), { role: 'work' }, 'giver');
    const { json } = await browserAt(base, parent).post('/ui/share', { role: 'watch' });
    const [name = ''] = (await tokens.list()).tokens
      .map((info) => info.name)
      .filter((text) => text.startsWith('giver'));
    await tokens.revoke(name);
    expect((await browserAt(base).post('/ui/pair', { code: json['code'] })).status).toBe(403);
  });

  test('leaves the way to a new one: stale halves do not keep a browser from pairing', async () => {
    const stale = await pair(base, owner(), { role: 'watch' }, 'stale');
    const [name = ''] = (await tokens.list()).tokens
      .map((info) => info.name)
      .filter((text) => text.startsWith('stale'));
    await tokens.revoke(name);
    const { json } = await owner().post('/ui/share', { role: 'watch' });
    expect((await browserAt(base, stale).post('/ui/pair', { code: json['code'] })).status).toBe(200);
  });

  test('comes by itself', async () => {
    const device = { label: 'old', endpoint: 'here', sharedBy: 'owner' };
    const halves = await tokens.create({ name: 'old-1', scopes: ['view'], expiresAt: new Date(1), device });
    const at = halves.lastIndexOf('.');
    const cookie = `cosession-${new URL(base).port}=${halves.slice(0, at)}`;
    expect(await scopesOf({ cookie, page: halves.slice(at + 1) })).toBe(401);
    await pair(base, owner(), { role: 'watch' });
    expect((await tokens.list()).tokens.map(({ name }) => name)).not.toContain('old-1');
  });

  test('is nothing to another endpoint', async () => {
    const other = await serveHub({}, { requireToken: true, devices: new Devices(tokens, 'there') });
    const { cookie, page } = await pair(base, owner(), { role: 'work' });
    const named = cookie.replace(/^cosession-\d+/, `cosession-${other.server.port}`);
    const { status } = await browserAt(other.base, { cookie: named, page }).get('/ui/me');
    await other.stop();
    expect(status).toBe(401);
  });
});

test('wrong codes are limited by address', async () => {
  const other = await serveHub(
    {},
    { devices: new Devices(tokens, 'limited'), auth: { trustedProxies: ['127.0.0.1'] } },
  );
  const tryFrom = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address };
    return (await browserAt(other.base, {}, headers).post('/ui/pair', { code: 'ABCDEFGH' })).status;
  };
  for (let count = 0; count < 10; count++) expect(await tryFrom('203.0.113.1')).toBe(403);
  expect(await tryFrom('203.0.113.1')).toBe(429);
  expect(await tryFrom('203.0.113.2')).toBe(403);
  const { json } = await browserAt(other.base).post('/ui/share', { role: 'watch' });
  const right = browserAt(other.base, {}, { 'x-forwarded-for': '203.0.113.1' });
  expect((await right.post('/ui/pair', { code: json['code'] })).status).toBe(429);
  await other.stop();
});

test('the user of this machine needs no pairing, but a paired browser is no more than its pairing', async () => {
  const other = await serveHub({}, { devices: new Devices(tokens, 'same') });
  expect((await browserAt(other.base).get('/ui/me')).json).toMatchObject({
    mode: 'live',
    scopes: ['view', 'prompt', 'approve', 'metrics', 'admin'],
    taskId: other.session.id,
  });
  const halves = await pair(other.base, browserAt(other.base), { role: 'watch' }, 'mine');
  expect((await browserAt(other.base, halves).get('/ui/me')).json).toMatchObject({ name: 'mine', scopes: ['view'] });
  await other.stop();
});
