import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { type ClusteredServers, startCluster } from '../support/clustered-servers.js';
import { type GuardedNats, startGuardedNats } from '../support/guarded-nats.js';
import { startModelServer } from '../support/model-server.js';
import { goOn, scriptOf, twoLines } from '../support/scripts.js';
import type { ServeProcess } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { usePostgres } from '../support/use-postgres.js';
import type { WireClient } from '../support/wire-client.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];
let finish = (): void => {};
const holdLast = new Promise<void>((resolve) => (finish = resolve));
const model = await startModelServer(
  scriptOf({
    'touch it': shell('echo touched >> touched.txt'),
    'wait for it': shell(twoLines),
    slowly: { chunks: [[{ text: 'Soon.' }], [{ text: ' Now.' }]], holdLast },
  }),
);
afterAll(() => model.close());
const database = usePostgres();
let nats: GuardedNats;
let cluster: ClusteredServers;

beforeAll(async () => {
  nats = await startGuardedNats();
  const store = await database.server.newPlace();
  cluster = await startCluster({
    modelUrl: model.url,
    store,
    bus: nats.bus,
    args: [...nats.args, '--lease-seconds', '60', '--drain-seconds', '600'],
  });
});
afterAll(async () => {
  await cluster.stop();
  await nats.stop();
});

const at = (index: number): ServeProcess => cluster.at(index);
const watch = (server: ServeProcess, id: string): Promise<WireClient> =>
  cluster.watch(server, `taskId=${id}&protocol=endpoint`);
const closeCode = async ({ socket }: WireClient): Promise<unknown> => (await once(socket, 'close'))[0];

type Status = {
  readonly servers: readonly { readonly id: string; readonly isDraining?: boolean; readonly loaded?: number }[];
};
const statusAt = async ({ base }: ServeProcess): Promise<Status> =>
  (await (await fetch(`${base}/cluster`)).json()) as Status;

test('a server that is drained gives its tasks away; its clients come back with their cursor, and nobody sees an error', async () => {
  const [leaving, other] = [at(0), at(1)];
  for (const id of ['waiting', 'busy', 'idle'])
    expect((await leaving.post('tasks', { contextId: id })).status).toBe(201);
  const waiting = await watch(leaving, 'waiting');
  await waiting.prompt('touch it');
  const question = await waiting.pending();
  const stream = await leaving.post('tasks/idle/messages/stream', { content: { text: 'touch it' } });
  const a2a = jsonRpc(leaving.base, '1.0');
  const busy = await watch(other, 'busy');
  await busy.prompt('wait for it');
  await busy.answer((await busy.pending())['tool_call_id'], 'proceed_once');
  await until(() => busy.seen.some((event) => JSON.stringify(event).includes('line 1')));
  const blocked = a2a.send({ text: 'slowly', contextId: 'busy' });
  await until(() => busy.seen.some((event) => JSON.stringify(event).includes('"slowly"')));

  const closed = closeCode(waiting);
  leaving.kill('SIGTERM');
  expect(await closed).toBe(1012);
  const text = await stream.text();
  expect(text).toMatch(/retry: \d+\n\n$/);
  expect(text).not.toMatch(/"error"|"ERROR"/);
  // It still answers for all tasks: the running one, those that others have now, and new ones.
  await until(async () => (await statusAt(other)).servers.some(({ isDraining }) => isDraining));
  expect(await busy.prompt('one more')).toMatchObject({ result: { accepted: true } });
  const again = await cluster.watch(leaving, `taskId=waiting&protocol=endpoint&after=${String(question.seq)}`);
  expect(await again.answer(question['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });
  await again.state('completed');
  expect((await leaving.post('tasks', { contextId: 'new' })).status).toBe(201);
  const fresh = await watch(other, 'new');
  await fresh.prompt('hello');
  await fresh.state('completed');

  // Whoever waits for the end of a turn gets it, although that turn runs on another server now.
  const goodbye = closeCode(again);
  goOn(cluster.workspace);
  await until(() => busy.text.includes('Soon.'));
  await until(async () => (await statusAt(other)).servers.some((one) => one.isDraining && one.loaded === 0));
  finish();
  expect(await blocked).toMatchObject({ state: 'completed', contextId: 'busy' });
  expect(await leaving.exit).toBe(0);
  expect(await goodbye).toBe(1012);
  await until(() => busy.text.includes('You said: one more'));
  expect(busy.seen.filter(({ kind }) => kind === 'ERROR')).toEqual([]);
  expect(busy.socket.readyState).toBe(1);
});

test('a task whose files are on one server runs there; while it is away, the task can be read and its question stays', async () => {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(join(disk, 'work'), { recursive: true });
  const pinned = ['--pinned-root', `fast=${disk}`];
  const home = await cluster.add(pinned);
  const edge = at(1);
  const made = { contextId: 'pinned', agentSettings: { workspacePath: join(disk, 'work') } };
  await until(async () => (await edge.post('tasks', made)).status === 201);
  const client = await watch(edge, 'pinned');
  await client.prompt('touch it');
  const asked = await client.pending();
  home.kill('SIGTERM');
  expect(await home.exit).toBe(0);

  const prompted = await until(async () => {
    const { error } = await client.prompt('are you there?');
    return (error as { data: { code: string } } | undefined)?.data.code === 'workspace-away';
  });
  expect(prompted).toBe(true);
  const refused = await edge.post('tasks/pinned/messages/stream', { content: { text: 'and now?' } });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  for (const index of [1, 2])
    expect(await (await fetch(`${at(index).base}/tasks/pinned`)).json()).toMatchObject({ state: 'input-required' });

  await cluster.add(pinned);
  const accepted = await until(async () => {
    const { result } = await client.answer(asked['tool_call_id'], 'proceed_once');
    return result;
  });
  expect(accepted).toMatchObject({ accepted: true });
  await client.state('completed');
});
