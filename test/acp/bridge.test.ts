import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announce } from '../../src/discovery/discovery.js';
import { AcpClient } from '../support/acp-client.js';
import { AcpV2Client } from '../support/acp-v2-client.js';
import { mainScript } from '../support/live.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const stateDir = temporaryFolder();
let hub: ServedHub;
let children: ChildProcess[];
let withdraw: () => void;
beforeEach(async () => {
  hub = await serveHub({}, { requireToken: true, acpV2: true });
  children = [];
  const { port, url } = hub.server;
  const entry = { port, url, pid: process.pid, sessionId: 'session-1', workspace: '/', token };
  withdraw = announce(stateDir, { ...entry, startedAt: new Date().toISOString() });
});
afterEach(async () => {
  withdraw();
  for (const child of children) child.kill();
  await hub.stop();
});

/** The built command, as an editor starts it. */
function start(...args: string[]) {
  const env = { ...process.env, COSESSION_STATE_DIR: stateDir };
  const child = spawn(process.execPath, [mainScript, 'acp', ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  return {
    child,
    get errors() {
      return errors;
    },
    ended: once(child, 'exit').then(([code]) => code as number),
    get stream() {
      return ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
    },
    connect() {
      return AcpClient.over(this.stream);
    },
  };
}

test.each([
  ['nothing', () => []],
  ['the beginning of its id', () => ['sess']],
  ['its address', () => [hub.server.url]],
  ['the address of its ACP transport', () => [`${hub.base.replace('http', 'ws')}/acp`]],
])('the session is found by %s, with its token', async (_, args) => {
  const client = await start(...args()).connect();
  expect(client.sessionId).toBe('session-1');
});

test('a prompt, its output and a permission pass through; the end of the input is the end of the program', async () => {
  const bridge = start();
  const client = await bridge.connect();
  const done = client.prompt('hello');
  await until(() => hub.engine.started.length);
  hub.engine.report({ type: 'tool', call: waitingShell() });
  (await client.question()).answer('proceed_once');
  await until(() => hub.engine.answered.length);
  hub.engine.say('Grüße\n');
  hub.engine.end();
  expect(await done).toEqual({ stopReason: 'end_turn' });
  expect(client.text).toBe('Grüße\n');
  bridge.child.stdin.end();
  expect(await bridge.ended).toBe(0);
  expect(bridge.errors).toBe('');
});

test('version 2 passes through as well', async () => {
  const bridge = start();
  const client = await AcpV2Client.over(bridge.stream);
  await client.prompt('hello');
  hub.engine.report({ type: 'tool', call: waitingShell() });
  (await client.question()).answer('proceed_once');
  await until(() => hub.engine.answered.length);
  hub.engine.say('Grüße');
  hub.engine.end();
  await until(() => client.states.at(-1) === 'idle end_turn');
  expect(Object.values(client.messages('agent'))).toEqual(['Grüße']);
  bridge.child.stdin.end();
  expect(await bridge.ended).toBe(0);
});

test('a session that ends is a sentence and an exit code', async () => {
  const bridge = start();
  await bridge.connect();
  await hub.server.close('the session has ended');
  expect(await bridge.ended).toBe(1);
  expect(bridge.errors).toMatch(/^cosession: 127\.0\.0\.1:\d+: the session has ended\n$/);
});

test.each([
  ['nowhere', 5, /cannot connect to ws:\/\/127\.0\.0\.1:9\//, () => ['http://127.0.0.1:9/']],
  [
    'an unknown session',
    5,
    /no live session is named "zzz"; these are running:\n {2}\d+ {2}session- {2}\/\n$/,
    () => ['zzz'],
  ],
])('%s is a sentence and an exit code', async (_, code, sentence, args) => {
  const bridge = start(...args());
  expect(await bridge.ended).toBe(code);
  expect(bridge.errors).toMatch(sentence);
});
