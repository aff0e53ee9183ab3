import { afterAll, expect, test } from 'vitest';
import { Tokens } from '../../src/auth/tokens.js';
import { say } from '../../src/demo/reply.js';
import { lastPrompt } from '../../src/demo/script.js';
import { openStoredTokens } from '../../src/stores/open-tokens.js';
import { useCluster } from '../support/use-cluster.js';
import { startModelServer } from '../support/model-server.js';
import { browserAt, pair } from '../support/paired.js';
import { scriptOf } from '../support/scripts.js';
import type { ServeProcess } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { until } from '../support/until.js';

let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
const never = new Promise<void>(() => {});
const held = (holdLast: Promise<void>) => ({ chunks: [[say('begun')], [say('done')]], holdLast });
const model = await startModelServer(scriptOf({ 'long work': held(released), 'endless work': held(never) }));
afterAll(() => model.close());
const cluster = useCluster({
  modelUrl: model.url,
  count: 2,
  args: ['--max-running-per-owner', '1', '--max-turns-per-day', '2', '--rate-limit', '0', '--lease-seconds', '10'],
});

const at = (index: number): ServeProcess => cluster.at(index);

async function tokenOf(name: string): Promise<string> {
  const stored = await openStoredTokens(cluster.store);
  const token = await new Tokens(stored).create({ name, scopes: ['prompt'] });
  await stored.close();
  return `Bearer ${token}`;
}

/** Sends a prompt to a task that this server runs. Resolves to how its turn ended. */
async function ask(server: ServeProcess, authorization: string, id: string, text: string): Promise<unknown> {
  const headers = { authorization };
  expect((await server.post('tasks', { contextId: id }, headers)).status).toBe(201);
  const events = await eventsOf(await server.post(`tasks/${id}/messages/stream`, { content: { text } }, headers));
  return events.at(-1)?.data['state'];
}

const asked = (): string[] => model.requests.map(lastPrompt);

/** Turns that wait at a server, and turns that run there. */
async function load({ base }: ServeProcess): Promise<string> {
  const text = await (await fetch(`${base}/metrics`, { headers: { connection: 'close' } })).text();
  const figure = (name: string) => new RegExp(`^cosession_tasks_${name} (.*)$`, 'm').exec(text)?.[1];
  return `${figure('queued')} ${figure('running')}`;
}

test('an owner runs so many turns at once in the whole cluster, and holds up nobody else', async () => {
  const [greedy, modest] = [await tokenOf('greedy'), await tokenOf('modest')];
  const first = ask(at(0), greedy, 'first', 'long work');
  await until(() => asked().includes('long work'));
  const second = ask(at(1), greedy, 'second', 'more work');
  await until(async () => (await load(at(1))) === '1 0');
  expect(await ask(at(1), modest, 'other', 'little work')).toBe('completed');
  expect([await load(at(1)), asked().includes('more work')]).toEqual(['1 0', false]);
  release();
  expect(await Promise.all([first, second])).toEqual(['completed', 'completed']);
});

test('a device has no quota of its own at servers where it never was', async () => {
  const share = browserAt(at(0).base);
  const devices = await Promise.all(['a', 'b', 'c'].map((name) => pair(at(0).base, share, { role: 'work' }, name)));
  expect((await at(1).post('tasks', { contextId: 'far' })).status).toBe(201);
  const statuses: number[] = [];
  for (const { cookie, page } of devices) {
    const response = await at(0).post(
      'tasks/far/messages/stream',
      { content: { text: 'hello' } },
      { cookie, 'x-cosession-page': page },
    );
    await response.text();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});

test('what runs at a server that dies is not counted any more', async () => {
  const unlucky = await tokenOf('unlucky');
  ask(at(0), unlucky, 'lost', 'endless work').catch(() => undefined);
  await until(() => asked().includes('endless work'));
  const next = ask(at(1), unlucky, 'next', 'work of the survivor');
  await until(async () => (await load(at(1))) === '1 0');
  // The turn that was lost is not continued here, so it needs no place.
  at(0).kill('SIGKILL');
  expect(await next).toBe('completed');
});
