import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { defaultLimits, type RateLimits } from '../../src/server/guards/credential-check.js';
import type { ServerSettings } from '../../src/server/open-server.js';
import { grpc } from '../support/a2a/grpc.js';
import { type ServedHub, serveHub, token as ownerToken } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let hub: ServedHub;
// The limiters' clock stands: what is used up stays so, however long the requests take.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  return hub.stop();
});

const none = { burst: 1e6, perSecond: 1e6 };

async function open(limits: Partial<RateLimits>, more: Partial<ServerSettings> = {}, auth: object = {}) {
  const folder = new TokenFolder(temporaryFolder());
  const tokens = [
    await folder.create({ name: 'ada', scopes: ['admin'] }),
    await folder.create({ name: 'bob', scopes: ['admin'] }),
  ] as const;
  const all = { address: none, principal: none, failures: none, ...limits };
  hub = await serveHub({}, { requireToken: true, auth: { authenticators: [folder], limits: all, ...auth }, ...more });
  return tokens;
}

const get = (token?: string, headers: Record<string, string> = {}) =>
  fetch(`${hub.base}/tasks/session-1`, {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
  });

async function statuses(count: number, call: () => Promise<Response>): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index++) seen.push((await call()).status);
  return seen;
}

const refused = { burst: 2, perSecond: 0.01 };

describe('[003-11.3] limits', () => {
  test('an address has its own for those who say nothing of themselves', async () => {
    const [ada] = await open({ address: refused });
    expect(await statuses(3, () => get())).toEqual([401, 401, 429]);
    expect((await get(ada)).status).toBe(200);
    const response = await get();
    expect(response.headers.get('retry-after')).toBe('100');
    expect(response.headers.get('ratelimit-policy')).toBe('"address";q=2;w=200');
    expect(response.headers.get('ratelimit')).toBe('"address";r=0;t=100');
    expect(await response.json()).toMatchObject({ error: { code: 'rate-limited' } });
  });

  test('a principal has its own, wherever it comes from', async () => {
    const [ada, bob] = await open({ principal: refused });
    expect(await statuses(3, () => get(ada))).toEqual([200, 200, 429]);
    const response = await get(bob);
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit')).toBe('"principal";r=1;t=0');
  });

  test('frames of a WebSocket count, and one that is refused says when to come back', async () => {
    const [ada] = await open({ principal: refused });
    const client = await hub.connect(`?token=${ada}`);
    expect(await client.call('tasks/get')).toHaveProperty('result');
    const reply = await client.call('tasks/get');
    expect(reply['error']).toMatchObject({ code: -32071, data: { code: 'rate-limited', retryAfter: 100 } });
  });

  test('wrong tokens are limited harder; right ones and those who bring none are served all the same', async () => {
    const [ada] = await open({ failures: refused });
    expect(await statuses(3, () => get('wrong'))).toEqual([401, 401, 429]);
    const response = await get('wrong');
    expect(response.headers.get('retry-after')).toMatch(/^(99|100)$/);
    expect(response.headers.get('ratelimit')).toMatch(/^"failures";r=0;t=(99|100)$/);
    expect((await get(ada)).status).toBe(200);
    expect((await get(ownerToken)).status).toBe(200);
    expect((await get()).status).toBe(401);
  });

  test('Host and Origin are checked before any limiter', async () => {
    await open({ address: refused });
    const evil = () => get(undefined, { origin: 'https://evil.example' });
    expect(await statuses(5, evil)).toEqual([403, 403, 403, 403, 403]);
    expect((await get()).status).toBe(401);
  });

  test('an upgrade that is refused has Retry-After too', async () => {
    const [ada] = await open({ principal: refused });
    await statuses(2, () => get(ada));
    await expect(hub.connect(`?token=${ada}`)).rejects.toThrow(/429/);
  });

  test('gRPC is limited by the same numbers', async () => {
    const [ada] = await open({ principal: refused }, { grpcPort: 0 });
    await statuses(2, () => get(ada));
    const client = grpc(hub.server.grpcPort ?? 0);
    const message = { text: 'hello', taskId: 'nowhere' };
    const sending = client.send(message, { headers: { authorization: `Bearer ${ada}` } });
    await expect(sending).rejects.toMatchObject({ code: 8 });
    client.close();
  });

  test('behind a proxy that is trusted each client has its own address', async () => {
    await open({ address: refused }, {}, { trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => () => get(undefined, { 'x-forwarded-for': address });
    expect(await statuses(3, from('203.0.113.1'))).toEqual([401, 401, 429]);
    expect(await statuses(1, from('203.0.113.2'))).toEqual([401]);
    expect(await statuses(1, from('203.0.113.3, 203.0.113.1'))).toEqual([429]);
  });

  test('any other proxy is not believed', async () => {
    await open({ address: refused });
    let number = 0;
    const from = () => get(undefined, { 'x-forwarded-for': `203.0.113.${number++}` });
    expect(await statuses(3, from)).toEqual([401, 401, 429]);
  });

  test('by default one address may burst 200 requests', async () => {
    const [ada] = await open(defaultLimits);
    const burst = await Promise.all(Array.from({ length: 200 }, () => get(ada)));
    expect(burst.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('the live endpoint has no limit', async () => {
    hub = await serveHub();
    const burst = await statuses(500, () => get());
    expect(burst.filter((status) => status !== 200)).toEqual([]);
    expect((await get()).headers.get('ratelimit')).toBeNull();
  });
});
