import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { grpc } from '../support/a2a/grpc.js';
import { fetchAsOther, holdTheLine } from '../support/other-user.js';
import { grpcPortOf } from '../support/grpc-port-of.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const run = promisify(execFile);
const create = [resolve('dist/main.js'), 'token', 'create', '--name', 'shared', '--scope', 'view'];
const halfHead = 'POST /tasks HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: appl';
const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

test('3,000 half-open connections of another user to each port keep nobody out who says who they are', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url, args: ['--grpc-port', '0'] });
  const env = { ...process.env, COSESSION_STATE_DIR: join(folder, 'state') };
  const created = await run(process.execPath, create, {
    env,
  });
  const authorization = `Bearer ${/cos_shared_\S+/.exec(created.stdout)?.[0]}`;
  const { port } = new URL(served.base);
  const grpcPort = await grpcPortOf(served.base);
  await holdTheLine(Number(port), halfHead, 3000);
  await holdTheLine(grpcPort, preface, 3000);

  expect((await served.post('tasks', { contextId: 'ours' })).status).toBe(201);
  const socket = await WireClient.connect(`ws://127.0.0.1:${port}/ws?taskId=ours`);
  await socket.kind('SNAPSHOT');
  socket.close();
  const client = grpc(grpcPort);
  expect(await client.list?.({})).toMatchObject({ tasks: [] });
  client.close();
  expect(await fetchAsOther(`${served.base}/tasks/ours`, { authorization })).toBe(200);
});
