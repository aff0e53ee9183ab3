import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/client/node.js';
import type { ClientSession } from '../../src/client/session.js';
import type { ClientsEvent, WireEvent } from '../../src/client/wire-event.js';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
const sessions: ClientSession[] = [];

beforeEach(async () => {
  hub = await serveHub({ engineOrigin: { surface: 'tui' }, workspace: '/project', model: 'test-model' });
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await hub.stop();
});

async function join(client: string): Promise<ClientSession> {
  const session = await connect({ url: hub.server.url, client });
  sessions.push(session);
  return session;
}

const names = ({ snapshot }: ClientSession): string[] => snapshot.clients.map(({ name }) => name);

describe('who is here', () => {
  test('is in the snapshot, and everyone learns who joins and leaves; two of one name are told apart', async () => {
    const ada = await join('ada');
    expect(ada.snapshot.clients).toMatchObject([
      { name: 'terminal', surface: 'tui', since: hub.session.startedAt },
      { name: 'ada', surface: 'a2a', since: expect.any(String) as string },
    ]);
    const phone = await join('ada');
    expect(names(phone)).toEqual(['terminal', 'ada', 'ada 2']);
    await until(() => names(ada).length === 3);
    ada.close();
    await until(() => names(phone).length === 2);
    expect(names(phone)).toEqual(['terminal', 'ada 2']);
  });

  test('is sent once for many, with a limit, and never to a client whose snapshot already says it', async () => {
    const ada = await join('ada');
    const lists: ClientsEvent[] = [];
    void (async () => {
      for await (const event of ada.watch()) if (event.kind === 'CLIENTS') lists.push(event);
    })();
    const others = await Promise.all(Array.from({ length: 60 }, () => hub.connect('?client=b&protocol=endpoint')));
    await until(() => ada.snapshot.moreClients === 12);
    expect(ada.snapshot.clients).toHaveLength(50);
    expect(lists.length).toBeLessThan(30);
    const last = others.at(-1);
    await last?.kind('SNAPSHOT');
    const quiet = await hub.connect('?client=c&protocol=endpoint');
    await quiet.kind('SNAPSHOT');
    await until(() => ada.snapshot.moreClients === 13);
    expect(quiet.seen.map((event) => event.kind)).toEqual(['SNAPSHOT']);
  });

  test('has clients of other surfaces: editors, and pages of the endpoint itself', async () => {
    const ada = await join('ada');
    const editor = await AcpClient.connect(`ws://127.0.0.1:${hub.server.port}/acp`, { name: 'editor' });
    await until(() => names(ada).length === 3);
    const origin = hub.base;
    await hub.connect('?client=tablet&protocol=endpoint', { headers: { origin } });
    await until(() => names(ada).length === 4);
    expect(ada.snapshot.clients.map(({ surface }) => surface)).toEqual(['tui', 'a2a', 'acp', 'web']);
    editor.connection.close();
    await until(() => names(ada).length === 3);
  });
});

test('what a page of the endpoint sends has the surface web', async () => {
  const ada = await join('ada');
  const headers = { origin: hub.base };
  const page = await hub.connect('?client=tablet&protocol=endpoint', { headers });
  await page.prompt('from the page');
  expect(hub.engine.started[0]?.origin).toEqual({ surface: 'web', client: 'tablet' });
  const path = 'tasks/session-1/messages/stream?client=list';
  await hub.post(path, { message: { content: { text: 'from a request' } } }, headers);
  await until(() => ada.snapshot.queue.length === 1);
  expect(ada.snapshot.queue[0]?.origin).toEqual({ surface: 'web', client: 'list' });
});

test('the snapshot says what the session is about, what waits and what it cost, and stays true', async () => {
  const ada = await join('ada');
  expect(ada.snapshot).toMatchObject({ workspace: '/project', queue: [], usage: { calls: 0 } });
  await ada.prompt(`Run\n the tests ${'x'.repeat(100)}`);
  hub.engine.report({ type: 'usage', usage: { inputTokens: 10, totalTokens: 12 } });
  hub.engine.report({ type: 'usage', usage: { totalTokens: 5 } });
  hub.engine.report({ type: 'settings', model: 'other-model', approvalMode: 'autoEdit' });
  const [second, third] = [await ada.prompt('second'), await ada.prompt('third')];
  const late = await join('late');
  const expected = {
    title: `Run the tests ${'x'.repeat(65)}…`,
    approvalMode: 'autoEdit',
    model: 'other-model',
    usage: { calls: 2, inputTokens: 10, totalTokens: 17 },
    queue: [
      { turnId: second.turnId, text: 'second', origin: { surface: 'a2a', client: 'ada' }, position: 1 },
      { turnId: third.turnId, text: 'third', position: 2 },
    ],
  };
  // Ada has followed the events; the other one got it all at once.
  for (const client of [ada, late]) expect(client.snapshot).toMatchObject(expected);

  const seen: WireEvent[] = [];
  void (async () => {
    for await (const event of late.watch()) seen.push(event);
  })();
  await ada.cancel(second.turnId);
  await until(() => late.snapshot.queue.length === 1);
  for (const client of [ada, late]) {
    expect(client.snapshot.queue).toMatchObject([{ text: 'third', position: 1 }]);
    expect(client.state).toBe('working');
  }
  expect(seen.at(-1)).toMatchObject({ kind: 'STATE_CHANGE', state: 'canceled', turnId: second.turnId });
  hub.engine.end();
  await until(() => late.snapshot.queue.length === 0);
  expect((await join('latest')).snapshot).toMatchObject({ queue: [], state: 'working' });
});
