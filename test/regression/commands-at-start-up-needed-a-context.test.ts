import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { openTransport } from '../support/checklist.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

type Started = { readonly execution_id: string; readonly status: string; readonly message: string };

async function call<Result>(server: ServeProcess, method: string, params?: object): Promise<Result> {
  const answer = (await (await server.post('', { jsonrpc: '2.0', id: 1, method, params })).json()) as {
    result: Result;
  };
  return answer.result;
}

test('a client lists commands before it has a context, and runs one', async () => {
  const server = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const { commands } = await call<{ commands: { name: string }[] }>(server, 'commands/get');
  const listed = (await (await fetch(`${server.base}/listCommands`)).json()) as { commands: { name: string }[] };
  expect(commands.map(({ name }) => name)).toEqual(listed.commands.map(({ name }) => name));
  expect(commands.map(({ name }) => name)).toContain('help');

  const { status, execution_id } = await call<Started>(server, 'command/execute', { command_path: ['help'] });
  expect(status).toBe('STARTED');
  // What it prints is told as any task is.
  const client = openTransport(server, 'JSON-RPC v1.0');
  await until(async () => (await client.get(execution_id)).state === 'completed');
  const task = await call<{ contextId: string }>(server, 'tasks/get', { id: execution_id });
  expect(JSON.stringify(task)).toContain('/help');
  const { contextId } = task;
  expect(await call(server, 'commands/get', { contextId })).toMatchObject({ commands: expect.any(Array) as unknown });

  // A command that is not there opens no task.
  const tasks = async (): Promise<number> => (await client.list?.({}))?.totalSize ?? 0;
  const before = await tasks();
  const failed = await call<Started>(server, 'command/execute', { command_path: ['hepl'] });
  expect(failed).toMatchObject({ status: 'FAILED_TO_START', message: expect.stringContaining('/hepl') as string });
  expect(await tasks()).toBe(before);
});
