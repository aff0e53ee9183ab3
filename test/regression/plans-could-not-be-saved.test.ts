import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { lastToolResult } from '../../src/demo/script.js';
import { startModelServer } from '../support/model-server.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

/** A model that plans: it is told where plans belong, and follows that. */
const model = await startModelServer((request) => {
  const [, folder = ''] = /within: `([^`]+)\/`/.exec(JSON.stringify(request)) ?? [];
  if (lastToolResult(request)) return { chunks: [[call('exit_plan_mode', { plan_filename: 'poem.md' })]] };
  return { chunks: [[call('write_file', { file_path: `${folder}/poem.md`, content: '# A poem\n1. Write it.\n' })]] };
});
afterAll(() => model.close());

/**
 * Our folders for plans were not where core's policies let an agent write in plan mode. Their names came from the client. And
 * whoever was asked to accept a plan saw the name of its file only.
 */
test('in plan mode the agent saves its plan, inside the folder of its task, and everybody sees it', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  const id = '../../outside';
  await served.post('tasks', { contextId: id });
  const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/acp`);
  await client.call('initialize', { protocolVersion: 1 });
  await client.call('session/load', { sessionId: id, cwd: join(folder, 'workspace'), mcpServers: [] });
  await client.call('session/set_mode', { sessionId: id, modeId: 'plan' });
  client.socket.send(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'prompt',
      method: 'session/prompt',
      params: { sessionId: id, prompt: [{ type: 'text', text: 'plan it' }] },
    }),
  );
  const asked = await until(async () => {
    const response = await fetch(`${served.base}/tasks/${encodeURIComponent(id)}`);
    const { metadata } = (await response.json()) as { metadata: { pending: object[] } };
    return metadata.pending[0];
  });
  expect(JSON.stringify(asked)).toContain('\\n\\n# A poem\\n1. Write it.');
  const shown = await client.find(({ method }) => method === 'session/request_permission');
  expect(JSON.stringify(shown)).toContain('# A poem');
  expect(existsSync(join(folder, 'state', 'outside'))).toBe(false);
  expect(existsSync(join(folder, 'state', 'scratch', 'outside'))).toBe(false);
});
