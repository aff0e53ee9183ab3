import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { follow } from '../../src/server/a2a/streams/follow.js';
import { type Reader, readUntil } from '../../src/server/a2a/streams/reader.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { rest } from '../support/a2a/rest.js';
import type { Transport } from '../support/a2a/transport.js';
import { openHub, prompt } from '../support/hub.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

const transports: readonly (readonly [string, (base: string) => Transport])[] = [
  ['JSON-RPC v1.0', (base) => jsonRpc(base, '1.0')],
  ['JSON-RPC v0.3', (base) => jsonRpc(base, '0.3')],
  ['HTTP+JSON v1.0', (base) => rest(base, '1.0')],
  ['HTTP+JSON v0.3', (base) => rest(base, '0.3')],
];

describe.each(transports)('%s', (_name, open) => {
  const sockets: Socket[] = [];
  const keep = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  let hub: ServedHub;
  beforeEach(async () => {
    subscribe('net.server.socket', keep);
    hub = await serveHub();
  });
  afterEach(async () => {
    unsubscribe('net.server.socket', keep);
    sockets.length = 0;
    await hub.stop();
  });
  /** Bytes that the system has, not those that Node holds back. */
  const sent = (): number => sockets.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);

  test('a piece of a reply is sent in the tick of the engine, before anything else that is due', async () => {
    const events = open(hub.base).stream({ text: 'go' });
    await events.next();
    await events.next();
    for (const word of ['one', 'two', 'three']) {
      // What was sent before may be in the same tick, whose later events are sent together.
      await turnOfTheLoop();
      const before = sent();
      hub.engine.say(word);
      expect(sent()).toBeGreaterThan(before + word.length);
      expect((await events.next()).value).toMatchObject({ texts: [word] });
    }
    hub.engine.end();
    for await (const _event of events);
  });
});

describe('a reader that has taken everything', () => {
  function opened(reader: Reader = readUntil(new AbortController().signal)) {
    const { engine, session } = openHub();
    session.submit(prompt('go'));
    return { engine, session, after: session.seq, reader };
  }

  /** Takes everything up to the next state of the turn. */
  function untilTurn() {
    const taken: string[] = [];
    const take = (event: SessionEvent): boolean => {
      taken.push(event.type === 'text' ? event.text : event.type);
      return event.type === 'turn';
    };
    return { taken, take };
  }

  test('takes pieces in their tick and in order with everything else', async () => {
    const { engine, session, after, reader } = opened();
    const { taken, take } = untilTurn();
    const isOver = follow({ session, after, reader, take });
    engine.say('one');
    expect(taken).toEqual(['one']);
    engine.report({ type: 'log', level: 'info', text: 'between' });
    engine.say('two');
    expect(taken).toEqual(['one']);
    engine.end();
    await isOver;
    expect(taken).toEqual(['one', 'log', 'two', 'turn']);
  });

  test('ends with a piece that is the last it wants', async () => {
    const { engine, session, after, reader } = opened();
    let count = 0;
    const isOver = follow({ session, after, reader, take: () => ++count === 2 });
    for (const word of ['one', 'two', 'three']) engine.say(word);
    await isOver;
    expect(count).toBe(2);
  });

  test('fails with the error of what takes', async () => {
    const { engine, session, after, reader } = opened();
    const take = (): never => {
      throw new Error('cannot be written');
    };
    const isOver = follow({ session, after, reader, take });
    engine.say('one');
    engine.say('two');
    await expect(isOver).rejects.toThrow('cannot be written');
  });

  test('takes nothing while it has no room', async () => {
    let makeRoom: (() => void) | undefined;
    let room: Promise<void> | undefined;
    const full: Reader = { isClosed: false, onClose: () => {}, drained: () => room };
    const { engine, session, after, reader } = opened(full);
    const { taken, take } = untilTurn();
    const isOver = follow({ session, after, reader, take });
    room = new Promise((resolve) => (makeRoom = resolve));
    engine.say('one');
    engine.say('two');
    await turnOfTheLoop();
    expect(taken).toEqual(['one']);
    room = undefined;
    makeRoom?.();
    engine.end();
    await isOver;
    expect(taken).toEqual(['one', 'two', 'turn']);
  });
});
