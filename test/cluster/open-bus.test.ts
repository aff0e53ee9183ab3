import { expect, test } from 'vitest';
import { checkClusterFlags } from '../../src/cluster/bus/open-bus.js';

const store = 'postgres://ada@db/cosession';
const creds = { clusterCreds: 'file' };
const ca = { clusterCa: 'file' };

test.each([
  [{ cluster: 'postgres' }],
  [{ cluster: 'nats://127.0.0.1:4222' }],
  [{ cluster: 'nats://localhost,[::1]:4223' }],
  [{ cluster: 'tls://nats-1.example.com,nats-2.example.com', ...creds }],
  [{ cluster: 'nats://nats.example.com', ...creds, ...ca }],
])('%o is safe', (flags) => {
  expect(() => checkClusterFlags(flags, store)).not.toThrow();
});

test.each([
  [{ cluster: 'nats://nats.example.com' }, /needs --cluster-creds and --cluster-ca/],
  [{ cluster: 'nats://127.0.0.1,nats.example.com', ...ca }, /needs --cluster-creds$/],
  [{ cluster: 'nats://10.0.0.7', ...creds }, /needs --cluster-ca, or tls:\/\//],
  [{ cluster: 'nats://ada:secret@nats.example.com', ...creds, ...ca }, /password on the command line/],
  [{ cluster: 'redis://127.0.0.1' }, /must be "postgres", nats:/],
])('%o is refused', (flags, why) => {
  expect(() => checkClusterFlags(flags, store)).toThrow(why);
});

test('without a database the servers could not agree', () => {
  expect(() => checkClusterFlags({ cluster: 'nats://127.0.0.1' }, 'sqlite:')).toThrow(/needs --store postgres/);
});
