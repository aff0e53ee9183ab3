import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { all, type Json, type Seen } from '../support/a2a/transport.js';
import { AcpClient } from '../support/acp-client.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf, readUntil } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { useLive } from '../support/use-live.js';
import { WireClient, type WireEvent } from '../support/wire-client.js';

const script = scriptOf({
  touch: [call('run_shell_command', { command: 'touch made' })],
  look: [call('list_directory', { dir_path: '.' })],
});
const model = await startModelServer(script);
afterAll(() => model.close());
const folder = temporaryFolder();
const served = await startServe({ folder, modelUrl: model.url }, 'file');
const session = useLive({ script });

const extended = { 'x-a2a-extensions': extensionUri };
const isPending = ({ kind, status }: WireEvent): boolean => kind === 'TOOL_CALL_UPDATE' && status === 'PENDING';
const hasQuestion = (event: Json): boolean => event['confirmation_request'] !== undefined;
const metadataOf = ({ metadata }: Seen): Json => metadata[extensionUri] as Json;

async function pendingOn(client: WireClient): Promise<boolean[]> {
  await client.prompt('touch it');
  await client.pending();
  await client.state('input-required');
  const asked = client.seen.filter(isPending).map(hasQuestion);
  client.forget();
  await client.call('tasks/cancel');
  await client.state('canceled');
  client.forget();
  await client.prompt('look around');
  await client.state('completed');
  return [...asked, ...client.seen.filter(isPending).map(hasQuestion)];
}

test('at the terminal a call is PENDING once: with its question, or without one if it needs none', async () => {
  expect(await pendingOn(await session.connect())).toEqual([true, false]);
});

test('every event names the model, and STATE_CHANGE tells of nothing but a change of state', async () => {
  const live = (await session.live.url()).replace(/\/$/, '');
  for (const base of [served.base, live]) {
    const events = (await all(jsonRpc(base, '0.3', extended).stream({ text: 'hello' }))).slice(1);
    expect(events.map((event) => metadataOf(event)['model'])).not.toContain('');
    const states = events.filter((event) => metadataOf(event)['kind'] === 'STATE_CHANGE').map(({ state }) => state);
    expect(states).toEqual(['working', 'completed']);
    const usage = events.filter(({ metadata }) => metadata['usage'] !== undefined);
    expect(usage.map((event) => metadataOf(event)['kind'])).toEqual(['DEVELOPMENT_TOOL_EVENT_KIND_UNSPECIFIED']);
  }
});

/** The last one: it kills the server. */
test('on serve too, in every dialect, and after kill -9', async () => {
  await served.post('tasks', { contextId: 'socket' });
  const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/ws?taskId=socket`);
  expect(await pendingOn(client)).toEqual([true, false]);
  client.close();

  const rfc = await all(jsonRpc(served.base, '0.3', extended).stream({ text: 'touch it' }));
  expect(rfc.flatMap(({ data }) => data).map(hasQuestion)).toEqual([true]);

  const coder = await served.post('message/stream', {
    contextId: 'coder',
    userMessage: { kind: 'text-content', text: 'touch' },
  });
  const kinds = (await eventsOf(coder)).map(({ data }) => data['kind']);
  expect(kinds.filter((kind) => kind === 'tool-call-update')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'tool-call-confirmation')).toHaveLength(1);

  await served.post('tasks', { contextId: 'execute' });
  const executed = await served.post('tasks/execute/execute', { message: 'touch' });
  const requested = await readUntil(executed, ({ data }) => data['confirmationRequest'] !== undefined);
  expect(requested.filter(({ data }) => data['status'] === 'requested')).toHaveLength(1);

  const editor = await AcpClient.connect(`${served.base}/acp`, { join: false });
  await editor.join(`${folder}/workspace`);
  editor.prompt('touch').catch(() => {});
  await editor.question();
  expect(editor.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'))).toHaveLength(1);
  editor.close();

  served.kill('SIGKILL');
  await served.exit;
  const after = await startServe({ folder, modelUrl: model.url });
  const late = await WireClient.connect(`${after.base.replace('http', 'ws')}/ws?taskId=coder&after=0`);
  const asked = await late.pending();
  await late.answer(asked['tool_call_id'], 'proceed_once');
  await late.state('completed');
  expect(late.seen.filter(isPending)).toHaveLength(1);
  late.close();
});
