import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../src/client/connect.js';
import { CosessionError } from '../../src/client/transport/cosession-error.js';
import { connect } from '../../src/client/node.js';
import type { ClientSession } from '../../src/client/session.js';
import type { WireEvent } from '../../src/client/wire-event.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
const sessions: ClientSession[] = [];

beforeEach(async () => {
  hub = await serveHub({ model: 'test-model' });
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

async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const kinds = (events: readonly WireEvent[]): string[] => events.map((event) => event.kind);
const failure = (promise: Promise<unknown>): Promise<CosessionError> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(CosessionError);
      return error as CosessionError;
    },
  );

describe('connect', () => {
  test('takes a port, an address in any form, a name', async () => {
    const { port } = hub.server;
    const forms = [{ port }, { url: `localhost:${port}` }, { url: `ws://127.0.0.1:${port}/ws?x=1` }];
    for (const form of forms) {
      const session = await connect(form);
      expect([session.id, session.model, session.state]).toEqual(['session-1', 'test-model', 'submitted']);
      session.close();
    }
  });

  test('sends the token, and tells why it was refused', async () => {
    const locked = await serveHub({}, { requireToken: true });
    const { url } = locked.server;
    const session = await connect({ url, token });
    expect(session.id).toBe('session-1');
    session.close();
    expect(await failure(connect({ url }))).toMatchObject({ code: 'token-required' });
    expect(await failure(connect({ url, token: 'wrong' }))).toMatchObject({ code: 'bad-token' });
    await locked.stop();
  });

  test.each<[string, ConnectOptions, object]>([
    ['nothing there', { port: 1 }, { code: 'cannot-connect', message: expect.stringContaining('ECONNREFUSED') }],
    ['no address', {}, { code: 'bad-request' }],
    ['not an address', { url: 'ftp://x' }, { code: 'bad-request' }],
    ['a token that no header can carry', { port: 1, token: 'a b' }, { code: 'cannot-connect' }],
  ])('%s is an error with a code', async (_name, options, expected) => {
    expect(await failure(connect(options))).toMatchObject(expected);
  });
});

describe('prompt', () => {
  test('gives the events of its own turn, the whole text and the end', async () => {
    const session = await join({ client: 'alice' });
    const first = await session.prompt('hello');
    const second = await session.prompt('and then?');
    expect([first.position, second.position]).toEqual([0, 1]);
    hub.engine.say('Hi ');
    hub.engine.say('there.');
    hub.engine.end();
    expect(await first.done).toEqual({ state: 'completed', text: 'Hi there.' });
    hub.engine.end('failed', 'no more');
    expect(await second.done).toEqual({ state: 'failed', text: '', error: 'no more' });
    const [story, other] = [await collect(first.events), await collect(second.events)];
    expect(kinds(story)).toEqual(['USER_MESSAGE', 'STATE_CHANGE', 'TEXT_CONTENT', 'TEXT_CONTENT', 'STATE_CHANGE']);
    expect(story[0]).toMatchObject({ content: { text: 'hello' }, origin: { surface: 'a2a', client: 'alice' } });
    expect(kinds(other)).toEqual(['USER_MESSAGE', 'USER_MESSAGE', 'STATE_CHANGE', 'STATE_CHANGE']);
  });

  test('the same messageId is the same prompt, also for a client that came later', async () => {
    const session = await join();
    const first = await session.prompt('once', { messageId: 'm-1' });
    hub.engine.say('Only once.');
    hub.engine.end();
    await first.done;
    const later = await join();
    for (const client of [session, later]) {
      const again = await client.prompt('once', { messageId: 'm-1' });
      expect(again.turnId).toBe(first.turnId);
      expect(await again.done).toEqual({ state: 'completed', text: 'Only once.' });
    }
    expect(hub.engine.started).toHaveLength(1);
  });

  test('what the session refuses is an error with its code', async () => {
    const session = await join();
    hub.engine.refusal = 'not logged in';
    expect(await failure(session.prompt('hello'))).toMatchObject({ code: 'not-ready', message: 'not logged in' });
  });

  test('cancel stops the running turn or one that waits', async () => {
    const session = await join();
    const first = await session.prompt('long');
    const second = await session.prompt('queued');
    await session.cancel(second.turnId);
    expect((await second.done).state).toBe('canceled');
    expect(session.state).toBe('working');
    await session.cancel();
    expect(hub.engine.cancels).toBe(1);
    hub.engine.end('canceled');
    expect((await first.done).state).toBe('canceled');
    expect(await failure(session.cancel())).toMatchObject({ code: 'not-cancelable' });
  });
});

describe('questions', () => {
  test('are pending until somebody answers; whoever is second is told who was first', async () => {
    const [alice, bob] = [await join({ client: 'alice' }), await join({ client: 'bob' })];
    await alice.prompt('clean up');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    await until(() => bob.pending.length === 1);
    expect(bob.pending[0]?.confirmation_request.details).toEqual({ execute_details: { command: 'rm -rf build' } });
    await bob.approve('call-1');
    expect(bob.pending).toEqual([]);
    expect(await failure(alice.reject('call-1'))).toMatchObject({
      code: 'already-answered',
      message: expect.stringContaining('a2a client bob'),
      data: { selected_option_id: 'proceed_once', resolvedBy: { surface: 'a2a', client: 'bob' } },
    });
    expect(alice.pending).toEqual([]);
    expect(hub.engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'proceed_once' } }]);
  });

  test('a late client has them from the start, and may bring its own version of a file', async () => {
    const alice = await join();
    await alice.prompt('write it');
    hub.engine.report({ type: 'tool', call: waitingEdit() });
    const late = await join();
    expect(late.pending.map((call) => call.tool_call_id)).toEqual(['edit-1']);
    await late.approve('edit-1', 'proceed_once', { newContent: 'mine' });
    expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_once', newContent: 'mine' });
  });

  test('an option that is not offered is refused with those that are', async () => {
    const session = await join();
    await session.prompt('clean up');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    expect(await failure(session.approve('call-1', 'maybe'))).toMatchObject({
      code: 'bad-request',
      data: { options: ['proceed_once', 'proceed_always', 'cancel'] },
    });
  });
});

test('slash commands are listed and run, and a refused one says why', async () => {
  const session = await join();
  expect(await session.commands()).toMatchObject([{ name: 'stats' }]);
  const running = session.run(['stats']);
  await until(() => hub.engine.started.length === 1);
  hub.engine.report({ type: 'log', level: 'info', text: 'three turns' });
  hub.engine.end();
  const { events } = await running;
  expect(kinds(await collect(events))).toEqual(['USER_MESSAGE', 'STATE_CHANGE', 'CONSOLE_LOG', 'STATE_CHANGE']);
  expect(await failure(session.run(['quit']))).toMatchObject({
    code: 'command-refused',
    message: expect.stringContaining('it ends the program'),
  });
});

describe('watch', () => {
  test('starts with a snapshot and gives what anybody causes until the client is closed', async () => {
    const session = await join();
    const watching = collect(session.watch());
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    hub.engine.say('answer');
    hub.engine.end();
    await until(() => session.state === 'completed');
    session.close();
    const seen = await watching;
    expect(kinds(seen)).toEqual(['SNAPSHOT', 'USER_MESSAGE', 'STATE_CHANGE', 'TEXT_CONTENT', 'STATE_CHANGE']);
    expect(await failure(session.prompt('too late'))).toMatchObject({ code: 'closed' });
  });

  test('a consumer that stops reading gets what was kept, then an error; others go on', async () => {
    const session = await join();
    const [slow, quick] = [session.watch(), collect(session.watch())];
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    for (let i = 0; i < 10_100; i++) hub.engine.say(String(i));
    hub.engine.end();
    await until(() => session.state === 'completed');
    const got: WireEvent[] = [];
    const error = await failure(
      (async () => {
        for await (const event of slow) got.push(event);
      })(),
    );
    expect(error).toMatchObject({ code: 'overflow', data: { limit: 10_000 } });
    expect(got).toHaveLength(10_000);
    session.close();
    expect(await quick).toHaveLength(10_104);
  });
});
