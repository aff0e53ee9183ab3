import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { owner, type Principal } from '../../src/auth/principal.js';
import { openDoor, peerOf } from '../../src/server/door/door.js';
import { Places } from '../../src/server/http/places.js';
import { serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

const ada: Principal = { id: 'token:ada', scopes: ['view'], via: 'token' };
const phone = (name: string, group?: string): Principal => {
  const device = { name, label: name, sharedBy: 'token:ada', account: 'token:ada' };
  return { ...ada, id: `token:${name}`, device: { ...device, ...(group === undefined ? {} : { group }) } };
};

test('each caller has a quarter of the places, the owner all', () => {
  const places = new Places({ limit: 8, what: 'things' });
  const leave = places.take(ada);
  places.take(ada);
  expect(() => places.take(ada)).toThrow('you have 2 things open already, the most for one caller');
  leave();
  leave();
  places.take(ada);
  // Two browsers of one group, and the one that began it.
  places.take(phone('first'));
  places.take(phone('second', 'token:first'));
  expect(() => places.take(phone('third', 'token:first'))).toThrow('the most for one caller');
  for (let count = 0; count < 4; count++) places.take(owner);
  expect(() => places.take(owner)).toThrow('8 things are open already');
  expect(() => places.take({ ...ada, id: 'token:bob' })).toThrow('8 things are open already');
});

test('a connection is its last caller’s, and one caller has a quarter of them', async () => {
  const door = await openDoor({ port: 0, host: '127.0.0.1', protocol: 'http/1.1' });
  const accepted: Socket[] = [];
  door.open((socket) => accepted.push(socket));
  const clients = Array.from({ length: 514 }, () => connect(door.port, '127.0.0.1'));
  onTestFinished(() => clients.forEach((client) => client.destroy()));
  await until(() => accepted.length === clients.length);
  const peers = accepted.map((socket) => peerOf(socket));
  for (const peer of peers.slice(0, 512)) peer.trust(ada);
  for (const peer of peers.slice(0, 512)) peer.trust(ada);
  expect(() => peers[512]?.trust(ada)).toThrow('you have 512 connections open already');
  // A proxy uses one connection for many callers.
  peers[0]?.trust(phone('first'));
  peers[512]?.trust(ada);
  expect(() => peers[513]?.trust(ada)).toThrow('you have 512 connections');
  peers[513]?.trust(owner);
  const closed = once(accepted[1] as Socket, 'close');
  accepted[1]?.destroy();
  await closed;
  peers[513]?.trust(ada);
});

test('a caller who is known keeps the connection', async () => {
  const hub = await serveHub();
  onTestFinished(() => hub.stop());
  const response = await fetch(`${hub.base}/openapi.json`);
  expect(response.headers.get('keep-alive')).toMatch(/^timeout=/);
  await response.body?.cancel();
});
