import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Ends, type Lookup, openLookup } from '../../src/server/door/connection-lookup.js';
import { findRows, nameOfEnds } from '../../src/server/door/connection-table.js';
import { PeerCheck } from '../../src/server/door/peer-check.js';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listening(host: string): Promise<Server> {
  const server = createServer().listen(0, host);
  open.push(server);
  await once(server, 'listening');
  return server;
}

/** Both ends of a connection to the server. */
async function connected(server: Server, host: string): Promise<{ client: Socket; socket: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(portOf(server), host);
  await once(client, 'connect');
  const [socket] = await accepted;
  open.push({ close: () => client.destroy() }, { close: () => socket.destroy() });
  return { client, socket };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function opened(): Promise<Lookup> {
  const lookUp = await openLookup();
  if (!lookUp) throw new Error('this system cannot look up a connection');
  return lookUp;
}

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): Ends {
  return {
    address: localAddress ?? '',
    port: localPort ?? 0,
    toAddress: remoteAddress ?? '',
    toPort: remotePort ?? 0,
  };
}

test.each(['127.0.0.1', '127.0.0.9', '::1'])(
  'the kernel says of a connection from %s what its table says',
  async (host) => {
    const lookUp = await opened();
    const server = await listening(host);
    const { client } = await connected(server, host);
    const ends = endsOf(client);
    const name = nameOfEnds(ends.address, ends.port, ends.toAddress, ends.toPort);
    const listed = [...findRows(portOf(server), new Set([name]))].find((rows) => rows.has(name))?.get(name);
    expect(listed).toMatchObject({ state: '01', uid: process.getuid?.() });
    expect(lookUp(ends)).toEqual(listed);
  },
);

test('nothing is said of a connection that does not exist, even where somebody listens', async () => {
  const lookUp = await opened();
  const server = await listening('127.0.0.1');
  const { client } = await connected(server, '127.0.0.1');
  const ends = endsOf(client);
  expect(lookUp({ ...ends, address: '127.0.0.2' })).toBeUndefined();
  expect(lookUp({ ...ends, toPort: ends.port })).toBeUndefined();
  expect(lookUp({ ...ends, port: portOf(server), toPort: 1 })).toBeUndefined();
  expect(lookUp({ ...ends, toAddress: '::1', address: '::1' })).toBeUndefined();
});

test('an end that its program has left is not taken for one of ours', async () => {
  const lookUp = await opened();
  const server = await listening('127.0.0.1');
  const { client, socket } = await connected(server, '127.0.0.1');
  const ends = endsOf(client);
  client.destroy();
  await once(client, 'close');
  expect(lookUp(ends)?.state).not.toBe('01');
  expect(await new PeerCheck({ port: portOf(server) }).userOf(socket)).not.toBe('ours');
});

test('a server looks connections up after the first few, and in the table where that is not possible', async () => {
  const lookUp = await opened();
  const server = await listening('127.0.0.1');
  for (const isPossible of [true, false]) {
    let [opens, lookUps] = [0, 0];
    const check = new PeerCheck({
      port: portOf(server),
      open: async () => {
        opens++;
        return isPossible ? (ends) => (lookUps++, lookUp(ends)) : undefined;
      },
    });
    for (let count = 0; count < 70; count++) {
      const { socket } = await connected(server, '127.0.0.1');
      expect(await check.userOf(socket)).toBe('ours');
    }
    expect([opens, lookUps]).toEqual([1, isPossible ? 20 : 0]);
  }
});
