import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { AcpClient } from '../support/acp-client.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(
  scriptOf({ 'touch one': [say('I will run it.'), call('run_shell_command', { command: 'touch one.txt' })] }),
);
afterAll(() => model.close());
const clients: AcpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connect(served: ServeProcess, path: '/ws' | '/acp'): Promise<AcpClient> {
  const base = path === '/ws' ? served.base.replace('http', 'ws') : served.base;
  const client = await AcpClient.connect(`${base}${path}`, { join: false });
  clients.push(client);
  return client;
}

test('an editor works on a server: a task in its folder, a permission, a crash, and the same task again', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'workspace');
  const first = await startServe({ folder, modelUrl: model.url });
  const alice = await connect(first, '/ws');
  await expect(alice.join('/')).rejects.toMatchObject({ code: -32065 });
  await alice.join(workspace);
  const { sessionId } = alice;
  const [shown] = (
    await alice.agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'gemini-2.5-pro',
    })
  ).configOptions;
  expect(shown).toMatchObject({ id: 'model', currentValue: 'gemini-2.5-pro' });
  await alice.find((update) => update.sessionUpdate === 'config_option_update');
  await expect(alice.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toThrow('default, plan');
  expect(await alice.prompt('hello')).toEqual({ stopReason: 'end_turn' });
  expect(alice.text).toBe('You said: hello');
  alice.prompt('touch one').catch(() => {});
  await alice.question();
  first.kill('SIGKILL');
  await first.exit;

  const second = await startServe({ folder, modelUrl: model.url });
  const again = await connect(second, '/acp');
  const { sessions } = await again.agent.request('session/list', { cwd: workspace });
  expect(sessions).toMatchObject([{ sessionId: alice.sessionId, title: 'hello' }]);
  await again.load(alice.sessionId);
  // Over HTTP the reply and the updates come on streams of their own.
  await until(() => again.heard === 'hellotouch one' && again.text === 'You said: helloI will run it.');
  (await again.question()).answer('proceed_once');
  await again.tool('completed');
  expect(existsSync(join(workspace, 'one.txt'))).toBe(true);
  expect(await again.prompt('and now?')).toEqual({ stopReason: 'end_turn' });
  second.kill('SIGTERM');
  expect(await second.exit).toBe(0);
});
