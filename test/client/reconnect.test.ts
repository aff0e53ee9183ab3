import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ConnectOptions } from '../../src/client/connect.js';
import type { ConnectionState } from '../../src/client/connection.js';
import { connect } from '../../src/client/node.js';
import type { ClientSession } from '../../src/client/session.js';
import type { WireEvent } from '../../src/client/wire-event.js';
import { freePort } from '../support/free-port.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let session: ClientSession;
const states: ConnectionState[] = [];
/** Every socket the client opened, so that a test can cut the wire under it. */
const sockets: WebSocket[] = [];

class CutSocket extends WebSocket {
  constructor(url: string, protocols?: string[]) {
    super(url, protocols);
    sockets.push(this);
  }
}

const cut = (): void => sockets.at(-1)?.terminate();

async function join(options: Partial<ConnectOptions> = {}): Promise<void> {
  session = await connect({
    url: hub.server.url,
    WebSocket: CutSocket,
    onState: (state) => void states.push(state),
    ...options,
  });
}

beforeEach(async () => {
  sockets.length = 0;
  states.length = 0;
  // Some tests open it again on its port, which no connection may have taken meanwhile.
  hub = await serveHub({}, { port: await freePort() });
});
afterEach(async () => {
  session.close();
  await hub.stop();
});

/** Everything a watcher is given, as it comes. */
function record(): WireEvent[] {
  const seen: WireEvent[] = [];
  const events = session.watch();
  void (async () => {
    for await (const event of events) seen.push(event);
  })().catch(() => {});
  return seen;
}

test('the wire is cut again and again while the agent speaks: every event comes once and in order', async () => {
  await join();
  const seen = record();
  const turn = await session.prompt('speak');
  let said = '';
  for (let i = 0; i < 300; i++) {
    hub.engine.say(`${i} `);
    said += `${i} `;
    // Cut while the client is up, so that each cut is one reconnection.
    if (i % 60 === 30) {
      await until(() => states.at(-1) === 'open');
      cut();
    }
    if (i % 10 === 0) await setImmediate();
  }
  hub.engine.end();
  expect(await turn.done).toEqual({ state: 'completed', text: said });
  await until(() => seen.length >= 304);
  const numbers = seen.flatMap((event) => (event.kind === 'SNAPSHOT' || !('seq' in event) ? [] : [event.seq]));
  expect(numbers).toEqual(Array.from({ length: 303 }, (_, index) => index + 1));
  // It is open again when the server has said that it is the same session.
  await until(() => states.length >= 11);
  expect(states).toEqual(['open', ...Array.from({ length: 5 }, () => ['reconnecting', 'open']).flat()]);
});

test('a prompt whose reply was lost is sent again and is one prompt', async () => {
  await join();
  const start = hub.engine.start.bind(hub.engine);
  // The server has the prompt, and the reply finds nobody.
  hub.engine.start = (request) => {
    start(request);
    cut();
  };
  const turn = await session.prompt('only once');
  expect(sockets).toHaveLength(2);
  hub.engine.say('Yes.');
  hub.engine.end();
  expect(await turn.done).toEqual({ state: 'completed', text: 'Yes.' });
  expect(hub.engine.started).toHaveLength(1);
});

test('what is asked while the connection is away waits for it', async () => {
  await join();
  cut();
  await until(() => states.includes('reconnecting'));
  const turn = await session.prompt('patient');
  hub.engine.end();
  expect((await turn.done).state).toBe('completed');
});

test('an answer whose reply was lost is sent again under its key, and is one answer', async () => {
  await join({ client: 'alice' });
  await session.prompt('clean up');
  hub.engine.report({ type: 'tool', call: waitingShell() });
  await until(() => session.pending.length === 1);
  const answer = hub.engine.answer.bind(hub.engine);
  hub.engine.answer = (callId, given) => {
    answer(callId, given);
    cut();
  };
  await session.approve('call-1');
  expect(session.pending).toEqual([]);
  expect(states.at(-1)).toBe('open');
  expect(hub.engine.answered).toHaveLength(1);
});

test('a server that is stopped and started again on its port is found again', async () => {
  await join();
  const seen = record();
  const { port } = hub.server;
  await hub.server.close();
  hub.engine.report({ type: 'log', level: 'info', text: 'said while away' });
  const again = await serveHub({}, { port, session: hub.session });
  await until(() => seen.some((event) => event.kind === 'CONSOLE_LOG'));
  expect(seen.map((event) => event.kind)).toEqual(['SNAPSHOT', 'CONSOLE_LOG']);
  await again.stop();
});

test('events that the server no longer has are told, and turns that waited for them fail', async () => {
  await join();
  const seen = record();
  const turn = await session.prompt('never ends');
  await until(() => seen.length === 3);
  const { port } = hub.server;
  await hub.server.close();
  const fresh = await serveHub({}, { port });
  await expect(turn.done).rejects.toMatchObject({ code: 'events-lost' });
  await until(() => seen.length === 5);
  expect(seen.slice(3)).toMatchObject([{ kind: 'RESYNC_REQUIRED' }, { kind: 'SNAPSHOT', seq: 0 }]);
  await fresh.stop();
});

test('another session on the same port is not mistaken for this one', async () => {
  await join();
  const { port } = hub.server;
  await hub.server.close();
  const other = await serveHub({ id: 'session-2' }, { port });
  const prompt = session.prompt('for session-1 only');
  await expect(prompt).rejects.toMatchObject({ code: 'other-session' });
  expect(other.engine.started).toEqual([]);
  await expect(session.watch().return?.()).resolves.toMatchObject({ done: true });
  await other.stop();
});

test('a client that was told when to give up does so with an error', async () => {
  await join({ giveUpAfterMs: 300 });
  const events = session.watch();
  await events.next();
  await hub.server.close();
  await expect(events.next()).rejects.toMatchObject({ code: 'disconnected' });
  expect(states.at(-1)).toBe('closed');
});
