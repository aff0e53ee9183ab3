import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { offlineAgent } from '../support/acp-agents.js';
import { AcpClient } from '../support/acp-client.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({ file: [call('run_shell_command', { command: 'touch made.txt', description: 'make a file' })] }),
);
const models: { close(): Promise<void> }[] = [model];
afterAll(() => Promise.all(models.map((each) => each.close())));
const clients: AcpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connect(served: ServeProcess): Promise<AcpClient> {
  const client = await AcpClient.connect(`${served.base.replace('http', 'ws')}/ws`, { join: false });
  clients.push(client);
  return client;
}

const isolated = async () => ({ args: ['--isolate'], env: {} });

async function goose(folder: string) {
  const agent = await offlineAgent('goose', join(folder, 'agent'));
  models.push(agent);
  const env = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
  const secrets = Object.keys(env).filter((name) => name.startsWith('OPENAI_'));
  return { args: ['--engine', agent.command, ...secrets.flatMap((name) => ['--engine-env', name])], env };
}

const setups = [
  { name: '--isolate', setup: isolated, asking: ['default', 'plan'], unasked: 'yolo' },
  { name: '--engine', setup: goose, asking: ['approve', 'chat'], unasked: 'auto' },
];

test.each(setups)(
  '$name: a client chooses the mode of its task, which outlives a restart',
  async ({ setup, asking, unasked }) => {
    const folder = temporaryFolder();
    const { args, env } = await setup(folder);
    const start = (): Promise<ServeProcess> => startServe({ folder, modelUrl: model.url, args, env });
    const served = await start();
    const alice = await connect(served);
    await alice.join(join(folder, 'workspace'));
    const { sessionId } = alice;
    const [, chosen = ''] = asking;
    await expect(alice.agent.request('session/set_mode', { sessionId, modeId: unasked })).rejects.toThrow(
      asking.join(', '),
    );
    await alice.agent.request('session/set_mode', { sessionId, modeId: chosen });
    await alice.find((update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === chosen);
    served.kill('SIGTERM');
    expect(await served.exit).toBe(0);

    const again = await connect(await start());
    expect(await again.load(sessionId)).toMatchObject({ modes: { currentModeId: chosen } });
    // In this mode it neither runs nor asks.
    expect(await again.prompt('make a file')).toEqual({ stopReason: 'end_turn' });
    expect(again.asked).toEqual([]);
    expect(existsSync(join(folder, 'workspace', 'made.txt'))).toBe(false);
  },
);

test.each(setups)(
  '$name: with --allow-auto-execute also a mode that runs tools unasked, and it does',
  async ({ setup, unasked }) => {
    const folder = temporaryFolder();
    const { args, env } = await setup(folder);
    const served = await startServe({ folder, modelUrl: model.url, args: ['--allow-auto-execute', ...args], env });
    const alice = await connect(served);
    await alice.join(join(folder, 'workspace'));
    const { sessionId } = alice;
    await alice.agent.request('session/set_config_option', { sessionId, configId: 'mode', value: unasked });
    expect(await alice.prompt('make a file')).toEqual({ stopReason: 'end_turn' });
    expect(alice.asked).toEqual([]);
    expect(existsSync(join(folder, 'workspace', 'made.txt'))).toBe(true);
  },
);
