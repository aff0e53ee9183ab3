import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { AcpV2Client } from '../support/acp-v2-client.js';
import { waitingShell } from '../support/manual-engine.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const workspace = realpathSync(temporaryFolder());
let served: Awaited<ReturnType<typeof serveRegistry>>;
let clients: AcpV2Client[];
let serve: () => ReturnType<typeof serveRegistry>;
beforeEach(async () => {
  clients = [];
  const file = join(temporaryFolder(), 'tasks.db');
  serve = async () => serveRegistry({ workspace, store: await openSqliteStore(file) }, { acpV2: true });
  served = await serve();
});
afterEach(async () => {
  for (const client of clients) client.close();
  await served.stop();
});

async function connect(path = '/ws'): Promise<AcpV2Client> {
  const base = path === 'http' ? `${served.server.url}acp` : `ws://127.0.0.1:${served.server.port}${path}`;
  const client = await AcpV2Client.connect(base, { join: false });
  clients.push(client);
  return client;
}

async function restart(): Promise<void> {
  await served.stop();
  served = await serve();
}

/** A turn with one reply. */
async function talk(client: AcpV2Client, text: string, reply: string): Promise<void> {
  const { messageId } = await client.prompt(text);
  const engine = served.engine(client.sessionId);
  engine.say(reply);
  engine.end();
  await until(() => {
    const at = client.updates.findIndex((update) => update['messageId'] === messageId);
    return at >= 0 && client.updates.slice(at).some(({ state }) => state === 'idle');
  });
}

describe.each([['/ws'], ['http']])('over %s', (path) => {
  test('a new session is a task, and its past is told with the same ids after a restart', async () => {
    const alice = await connect(path);
    await alice.join(workspace);
    expect(served.engine(alice.sessionId).request.workspace).toBe(workspace);
    await talk(alice, 'first', 'one');
    await talk(alice, 'second', 'two');
    await restart();
    const again = await connect(path);
    await again.resume(alice.sessionId, { isReplayed: true, cwd: workspace });
    await until(() => Object.values(again.messages('agent')).join() === 'one,two');
    expect(again.messages('user')).toEqual(alice.messages('user'));
    expect(again.messages('agent')).toEqual(alice.messages('agent'));
    await until(() => again.states.join() === 'idle end_turn');
    await talk(again, 'third', 'three');
    expect(Object.values(again.messages('agent'))).toEqual(['one', 'two', 'three']);
  });
});

test('a question that a restart interrupted is asked again, and the session says that it waits', async () => {
  const alice = await connect();
  await alice.join(workspace);
  await alice.prompt('remove it');
  served.engine(alice.sessionId).report({ type: 'tool', call: waitingShell() });
  await alice.question();
  await restart();
  const again = await connect();
  await again.resume(alice.sessionId, { cwd: workspace });
  await until(() => again.states.join() === 'requires_action');
  (await again.question()).answer('proceed_once');
  await until(() => served.engine(alice.sessionId).answered.length);
  await until(() => again.states.at(-1) === 'running');
});

test('sessions are listed, closed and deleted', async () => {
  const alice = await connect();
  const { capabilities } = await alice.connection.initialized.then(({ response }) => response);
  expect(capabilities?.session).toMatchObject({ delete: {} });
  await alice.join(workspace);
  const { sessionId } = alice;
  await talk(alice, 'the only task', 'done');
  const { sessions } = await alice.agent.request('session/list', {});
  expect(sessions).toMatchObject([{ sessionId, cwd: workspace, title: 'the only task' }]);
  await alice.agent.request('session/close', { sessionId });
  await expect(alice.prompt('hello?')).rejects.toMatchObject({ code: -32002 });
  await alice.agent.request('session/delete', { sessionId });
  await expect(alice.resume(sessionId)).rejects.toMatchObject({ code: -32002 });
});

test('a folder that the server does not serve is refused', async () => {
  const alice = await connect();
  await expect(alice.join('/')).rejects.toMatchObject({ code: -32065, data: { code: 'workspace-not-allowed' } });
});
