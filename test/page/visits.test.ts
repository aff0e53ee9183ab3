import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../support/ask.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';

let open: ServedHub;
let closed: ServedHub;
let without: ServedHub;
beforeAll(async () => {
  [open, closed, without] = await Promise.all([
    serveHub(),
    serveHub({}, { requireToken: true }),
    serveHub({}, { noPage: true }),
  ]);
});
afterAll(() => Promise.all([open.stop(), closed.stop(), without.stop()]));

const html = { accept: 'text/html,application/xhtml+xml' };
const visit = { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Whether the guards let it through: a page that was not built is 404, and that is behind the guards. */
const passes = async (headers: NodeJS.Dict<string>, path = '/', method = 'GET', hub = open): Promise<boolean> => {
  const { status } = await ask(`${hub.base}${path}`, headers, method);
  expect([200, 403, 404]).toContain(status);
  return status !== 403;
};

describe('a link on another site', () => {
  test('opens the page, with or without a query', async () => {
    expect(await passes(visit)).toBe(true);
    expect(await passes(visit, '/?task=abc')).toBe(true);
    expect(await passes({ ...visit, 'sec-fetch-site': 'same-site' })).toBe(true);
  });

  test.each([
    ['a frame', { ...visit, 'sec-fetch-dest': 'iframe' }],
    ['an old frame', { ...visit, 'sec-fetch-dest': 'frame' }],
    ['an object', { ...visit, 'sec-fetch-dest': 'object' }],
    ['a script', { ...visit, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
    ['a picture', { ...visit, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['fetch', { ...visit, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['fetch that claims to be a visit', { ...visit, origin: 'http://evil.test' }],
    ['a request without a destination', { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('is not %s', async (_what, headers) => {
    expect(await passes(headers)).toBe(false);
  });

  test.each(['/tasks', '/ui/me', '/ui/devices', '/ui/main.js', '//', '/.well-known/agent-card.json', '/%2f'])(
    'opens nothing else: %s',
    async (path) => expect(await passes(visit, path)).toBe(false),
  );

  test('sends nothing', async () => {
    expect(await passes({ ...visit, 'content-type': 'application/json' }, '/', 'POST')).toBe(false);
    expect(await passes(visit, '/', 'HEAD')).toBe(false);
  });

  test('opens nothing where there is no page', async () => {
    expect(await passes(visit, '/', 'GET', without)).toBe(false);
  });
});

describe('without credentials', () => {
  const codeOf = async (url: string, headers: NodeJS.Dict<string>): Promise<unknown> => {
    const { status, body } = await ask(url, headers);
    const [, code] = /"code":"([\w-]+)"/.exec(body.toString()) ?? [];
    return status === 200 ? 200 : code;
  };
  const pageOrMissing = [200, 'not-found'];

  test.each<[string, NodeJS.Dict<string>]>([
    ['nothing', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ])('the page is there, and only the page: %s', async (_who, headers) => {
    expect(pageOrMissing).toContain(await codeOf(closed.base, { ...html, ...headers }));
    expect(['token-required', 'bad-token']).toContain(await codeOf(`${closed.base}/openapi.json`, headers));
    expect(['token-required', 'bad-token']).toContain(await codeOf(`${closed.base}/nothing`, headers));
  });

  test('a proxy is refused by everything but the page, even what is public', async () => {
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    expect(pageOrMissing).toContain(await codeOf(open.base, { ...html, ...proxied }));
    expect(await codeOf(`${open.base}/.well-known/agent-card.json`, proxied)).toBe('other-user');
    expect(await codeOf(`${open.base}/tasks/x`, proxied)).toBe('other-user');
  });

  test('a wrong token is refused by what is public', async () => {
    const wrong = { authorization: 'Bearer wrong' };
    expect(await codeOf(`${closed.base}/.well-known/agent-card.json`, wrong)).toBe('bad-token');
  });

  test('programs learn where to begin', async () => {
    const { status, body } = await ask(open.base, { accept: 'application/json' });
    expect(status).toBe(404);
    expect(body.toString()).toContain('/.well-known/agent-card.json');
  });

  test('--no-page leaves nothing of it', async () => {
    const headers = { ...html, authorization: `Bearer ${token}` };
    expect((await ask(without.base, headers)).body.toString()).toContain('no such route: GET /');
    expect((await ask(`${without.base}/ui/main.js`, headers)).body.toString()).toContain(
      'no such route: GET /ui/main.js',
    );
  });
});
