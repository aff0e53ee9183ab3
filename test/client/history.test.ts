import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../src/client/connect.js';
import { connect } from '../../src/client/node.js';
import type { ClientSession } from '../../src/client/session.js';
import { isLogged, type LoggedEvent, type SnapshotEvent, type WireEvent } from '../../src/client/wire-event.js';
import { freePort } from '../support/free-port.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
const sessions: ClientSession[] = [];

beforeEach(async () => {
  // One test opens it again on its port, which no connection may have taken meanwhile.
  hub = await serveHub({}, { port: await freePort() });
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await hub.stop();
});

async function join(options: ConnectOptions = {}): Promise<ClientSession> {
  const session = await connect({ url: hub.server.url, ...options });
  sessions.push(session);
  return session;
}

function record(session: ClientSession): WireEvent[] {
  const seen: WireEvent[] = [];
  void (async () => {
    for await (const event of session.watch()) seen.push(event);
  })().catch(() => {});
  return seen;
}

function begin(words: string): void {
  hub.session.submit({ kind: 'prompt', text: words, origin: { surface: 'tui' } });
}

function turn(words: string): void {
  begin(words);
  for (const word of ['You ', 'said ', words]) hub.engine.say(word);
  hub.engine.end();
}

const said = (events: readonly WireEvent[]): string =>
  events.map((event) => (event.kind === 'TEXT_CONTENT' ? event.content.text : '')).join('');
const prompts = (events: readonly LoggedEvent[] = []): string[] =>
  events.flatMap((event) => (event.kind === 'USER_MESSAGE' ? [event.content.text] : []));

/** The first item of a watcher that asked for history, and what came after it. */
async function split(seen: readonly WireEvent[]): Promise<{ snapshot: SnapshotEvent; live: readonly WireEvent[] }> {
  const first = await until(() => seen[0]);
  if (first.kind !== 'SNAPSHOT') throw new Error(`it began with ${first.kind}`);
  return { snapshot: first, live: seen.slice(1) };
}

describe('history', () => {
  test('comes with the snapshot and is continued live: nothing is missing, nothing comes twice', async () => {
    turn('one');
    begin('two');
    hub.engine.say('0 ');
    const session = await join({ history: { turns: 30 } });
    const seen = record(session);
    // While the history is on its way, the agent goes on.
    for (let i = 1; i < 50; i++) hub.engine.say(`${i} `);
    await until(() => seen.length > 0);
    hub.engine.end();
    await until(() => session.state === 'completed');
    const { snapshot, live } = await split(seen);
    const { history } = snapshot;
    expect(prompts(history?.events)).toEqual(['one', 'two']);
    expect(history).toMatchObject({ oldest: 1, seq: snapshot.seq });
    const pieces = Array.from({ length: 50 }, (_, i) => `${i} `).join('');
    expect(said([...(history?.events ?? []), ...live])).toBe(`You said one${pieces}`);
    expect(live[0]).toMatchObject({ seq: snapshot.seq + 1 });
  });

  test('older parts follow on request until there is none', async () => {
    for (const words of ['one', 'two', 'three']) turn(words);
    const session = await join({ history: { turns: 1 } });
    const { snapshot } = await split(record(session));
    expect(prompts(snapshot.history?.events)).toEqual(['three']);
    const before = await session.history({ before: snapshot.history?.oldest ?? 0, turns: 2 });
    expect(prompts(before.events)).toEqual(['one', 'two']);
    expect(await session.history({ before: before.oldest })).toMatchObject({ events: [], seq: 0 });
    expect(prompts((await session.history()).events)).toEqual(['one', 'two', 'three']);
  });

  test('a refusal is an error with its code, and a closed client asks for nothing', async () => {
    const session = await join();
    await expect(session.history({ turns: 1000 })).rejects.toMatchObject({ code: 'bad-request' });
    session.close();
    await expect(session.history()).rejects.toMatchObject({ code: 'closed' });
  });

  test('when events were lost, the next snapshot has the conversation anew', async () => {
    turn('before');
    const session = await join({ history: { turns: 5 } });
    const seen = record(session);
    await until(() => seen.length === 1);
    const { port } = hub.server;
    await hub.server.close();
    const fresh = await serveHub({}, { port });
    fresh.session.submit({ kind: 'prompt', text: 'after', origin: { surface: 'tui' } });
    await until(() => seen.length >= 3);
    expect(seen[1]).toMatchObject({ kind: 'RESYNC_REQUIRED' });
    const again = seen[2];
    const known = again?.kind === 'SNAPSHOT' ? prompts(again.history?.events) : [];
    const live = prompts(seen.slice(3) as LoggedEvent[]);
    expect([...known, ...live]).toEqual(['after']);
    await fresh.stop();
  });
});

describe('after', () => {
  test('the first watcher gets a snapshot and every event after the cursor, however late it begins to read', async () => {
    turn('one');
    const first = await join();
    const cursor = first.seq;
    first.close();
    turn('two');
    const session = await join({ after: cursor });
    turn('three');
    await until(() => session.seq === hub.session.seq);
    const seen = record(session);
    const numbers = (): number[] => seen.filter(isLogged).map((event) => event.seq);
    await until(() => numbers().includes(hub.session.seq));
    expect(numbers()).toEqual(Array.from({ length: hub.session.seq - cursor }, (_, index) => cursor + 1 + index));
    expect(seen[0]).toMatchObject({ kind: 'SNAPSHOT', state: 'completed' });
    expect([session.state, said(seen)]).toEqual(['completed', 'You said twoYou said three']);
  });

  test('cannot be combined with history', async () => {
    await expect(join({ after: 1, history: { turns: 1 } })).rejects.toMatchObject({ code: 'bad-request' });
  });
});
