import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

/** Somebody let every tool run unasked, or stopped the server, and nothing said who. */
test('the audit log says who changed mode and model, and who drained the server', async () => {
  const folder = temporaryFolder();
  const stateDir = join(folder, 'state');
  const token = await new TokenFolder(stateDir).create({ name: 'ada', scopes: ['admin'] });
  const served = await startServe({ folder, modelUrl: model.url, args: ['--allow-auto-execute'] });
  const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/acp?token=${token}`);
  await client.call('initialize', { protocolVersion: 1 });
  const workspace = join(folder, 'workspace');
  const { result } = await client.call('session/new', { cwd: workspace, mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  const value = 'gemini-2.5-pro';
  const changes = [
    await client.call('session/set_mode', { sessionId, modeId: 'yolo' }),
    await client.call('session/set_config_option', { sessionId, configId: 'model', value }),
  ];
  expect(changes.map(({ error }) => error)).toEqual([undefined, undefined]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await served.post('drain', {}, headers)).status).toBe(202);
  expect(await served.exit).toBe(0);

  const entries = [];
  for await (const entry of new AuditFolder(stateDir).read({})) if (entry.action !== 'connect') entries.push(entry);
  const by = { principal: 'token:ada' };
  expect(entries).toMatchObject([
    { action: 'settings', by: { surface: 'acp', ...by }, taskId: sessionId, mode: 'yolo' },
    { action: 'settings', by: { surface: 'acp', ...by }, taskId: sessionId, model: value },
    { action: 'drain', by, running: 0 },
  ]);
  expect(entries[0]).not.toHaveProperty('model');

  const again = await startServe({ folder, modelUrl: model.url });
  // It listens for signals once it answers.
  await fetch(`${again.base}/health`);
  again.kill('SIGTERM');
  expect(await again.exit).toBe(0);
  const drains = [];
  for await (const entry of new AuditFolder(stateDir).read({ action: 'drain' })) drains.push(entry.by);
  expect(drains).toEqual([by, { surface: 'server', client: 'SIGTERM' }]);
});
