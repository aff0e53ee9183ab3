import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { call } from '../../src/demo/reply.js';
import { startModelServer } from '../support/model-server.js';
import { browserAt, type Halves, pair } from '../support/paired.js';
import { scriptOf } from '../support/scripts.js';
import { spawnServe, type ServeProcess } from '../support/spawn-serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A quarter of all: of 1,024 WebSockets, and of 256 streams. */
const share = { sockets: 256, streams: 64 };

let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServeProcess;
let owner: ReturnType<typeof browserAt>;
let guest: Halves;
/** A second browser of the same guest. */
let second: Halves;
/** Somebody else whom the owner invited. */
let other: Halves;

beforeAll(async () => {
  model = await startModelServer(scriptOf({ write: [call('write_file', { file_path: 'a.txt', content: '' })] }));
  const args = ['--rate-limit', '0.01', '--rate-burst', '5000', '--trust-proxy', '127.0.0.1'];
  server = await spawnServe({ folder: temporaryFolder(), modelUrl: model.url, args }, () => {});
  owner = browserAt(server.base);
  await owner.post('/tasks', { contextId: 't' });
  guest = await pair(server.base, owner, { role: 'work' });
  second = await pair(server.base, browserAt(server.base, guest), { role: 'work' });
  other = await pair(server.base, owner, { role: 'work' });
});
afterAll(async () => {
  server.kill('SIGKILL');
  await model.close();
});

const headersOf = ({ cookie, page }: Halves) => ({ cookie, 'x-cosession-page': page });

/** What somebody holds open, and how the next one that they ask for is answered. */
type Held = { readonly status: number; readonly body: string };
const held: (() => void)[] = [];
const letGo = (): void => held.splice(0).forEach((close) => close());

async function socket(who: Halves | undefined): Promise<Held> {
  const opened = new WebSocket(`${server.base.replace('http', 'ws')}/ws?taskId=t&dialect=endpoint`, {
    headers: who ? headersOf(who) : {},
  });
  held.push(() => opened.terminate());
  return new Promise((resolve) => {
    opened.once('open', () => resolve({ status: 101, body: '' }));
    opened.on('error', () => {});
    opened.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (data: Buffer) => (body += data.toString()));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

async function stream(who: Halves | undefined, path: string, body?: object): Promise<Held> {
  const leave = new AbortController();
  const response = await fetch(`${server.base}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(who && headersOf(who)) },
    signal: leave.signal,
  });
  // Keeps the response, too: Node closes the connection of one that nobody has any more.
  held.push(() => leave.abort(response));
  return { status: response.status, body: response.ok ? '' : await response.text() };
}

const prompt = { message: { content: { text: 'write' } } };
const kinds: readonly [string, number, number, (who: Halves | undefined) => Promise<Held>][] = [
  ['WebSockets', share.sockets, 101, socket],
  ['streams of the list', share.streams, 200, (who) => stream(who, '/tasks/events')],
  // This route stays open while a question waits.
  ['streams of turns', share.streams, 200, (who) => stream(who, '/tasks/t/messages/stream', prompt)],
];

describe.each(kinds)('%s', (_name, most, fine, open) => {
  test('a guest with two browsers gets a part of them, and is told so; everybody else gets in', async () => {
    const all = await Promise.all(Array.from({ length: most }, (_, n) => open(n % 2 === 0 ? guest : second)));
    expect(all.filter(({ status }) => status !== fine)).toEqual([]);
    for (const who of [guest, second]) {
      const refused = await open(who);
      expect(refused.status).toBe(503);
      expect(refused.body).toMatch(new RegExp(`too-many-clients.*you have ${most} .* the most for one caller`));
    }
    expect(await open(other)).toMatchObject({ status: fine });
    expect(await open(undefined)).toMatchObject({ status: fine });
    letGo();
  });
});

test('two browsers of one guest have one rate limit, others have their own', async () => {
  const left = async (who: Halves): Promise<number> => {
    const { headers } = await browserAt(server.base, who).get('/ui/me');
    return Number(/"principal";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };
  const before = { guest: await left(guest), other: await left(other) };
  const calls = 60;
  await Promise.all(Array.from({ length: calls }, () => browserAt(server.base, second).get('/ui/me')));
  expect(before.guest - (await left(guest))).toBeGreaterThan(calls / 2);
  expect(before.other - (await left(other))).toBeLessThan(calls / 2);
});

test('a guest can push out neither the codes of others nor their places among the devices', async () => {
  const asGuest = browserAt(server.base, guest);
  const codeOf = async (sharer: typeof owner) => (await sharer.post('/ui/share', { role: 'watch' })).json['code'];
  const codes = [await codeOf(owner), await codeOf(asGuest)];
  for (let count = 0; count < 10; count++) await codeOf(asGuest);
  const statuses = [];
  for (const code of codes) statuses.push((await browserAt(server.base).post('/ui/pair', { code })).status);
  expect(statuses).toEqual([200, 403]);
  const sharers = [asGuest, browserAt(server.base, second)];
  // The second browser is one of the twenty.
  for (let count = 1; count < 20; count++) await pair(server.base, sharers[count % 2] ?? asGuest, { role: 'watch' });
  for (const sharer of sharers) {
    const { status, json } = await sharer.post('/ui/share', { role: 'watch' });
    expect(status).toBe(409);
    expect(JSON.stringify(json)).toMatch(/you have shared with 20 devices already/);
  }
  await pair(server.base, browserAt(server.base, other), { role: 'watch' });
});

describe('wrong pairing codes', () => {
  const tryFrom = async (address: string, code: unknown = 'ABCDEFGH'): Promise<number> =>
    (await browserAt(server.base, {}, { 'x-forwarded-for': address }).post('/ui/pair', { code })).status;
  const newCode = async () => (await owner.post('/ui/share', { role: 'watch' })).json['code'];

  test('from many addresses do not keep anybody else from pairing', async () => {
    for (let count = 0; count < 10; count++) expect(await tryFrom('203.0.113.1')).toBe(403);
    // Only its own address is locked out.
    expect(await tryFrom('203.0.113.1', await newCode())).toBe(429);
    await Promise.all(Array.from({ length: 150 }, (_, count) => tryFrom(`198.51.100.${count}`)));
    // Now nobody has ten, but everybody has one.
    const next = await Promise.all(Array.from({ length: 10 }, () => tryFrom('203.0.113.9')));
    expect(new Set(next)).toEqual(new Set([403, 429]));
    expect(await tryFrom('203.0.113.10', await newCode())).toBe(200);
    // The owner's own machine is never locked out.
    for (let count = 0; count < 15; count++)
      expect((await browserAt(server.base).post('/ui/pair', { code: 'ABCDEFGH' })).status).toBe(403);
    expect((await browserAt(server.base).post('/ui/pair', { code: await newCode() })).status).toBe(200);
  });

  test('are in the audit log', async () => {
    const lines = (await (await fetch(`${server.base}/audit?action=refuse`)).text()).trim().split('\n');
    const refused = lines.map((line) => JSON.parse(line) as { by: { address: string }; code: string });
    const of = (address: string) => refused.filter(({ by }) => by.address === address).map(({ code }) => code);
    expect(of('198.51.100.7')).toEqual(['bad-code']);
    expect(of('203.0.113.1')).toEqual(['bad-code', 'rate-limited']);
  });
});
