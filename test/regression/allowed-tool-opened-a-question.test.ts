import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { all } from '../support/a2a/transport.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({ touch: [call('run_shell_command', { command: 'touch made' })] }));
afterAll(() => model.close());

test.each([
  ['in one process', []],
  ['with --isolate', ['--isolate']],
])('%s, a tool that --allow-tool names asks nobody: streams go on to the end of the turn', async (_name, more) => {
  const args = ['--allow-tool', 'run_shell_command', ...more];
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });

  for (const version of ['0.3', '1.0'] as const) {
    const events = await all(jsonRpc(served.base, version).stream({ text: 'touch it' }));
    expect(events.map(({ state }) => state)).not.toContain('input-required');
    expect(events.at(-1)).toMatchObject({ state: 'completed' });
  }

  const userMessage = { kind: 'text-content', text: 'touch it' };
  const streamed = await eventsOf(await served.post('message/stream', { contextId: 'asked', userMessage }));
  expect(streamed.map(({ data }) => data['kind'])).not.toContain('tool-call-confirmation');
  expect(streamed.at(-1)?.data).toMatchObject({ kind: 'state-change', state: 'completed', final: true });

  const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/ws?taskId=asked&after=0`);
  await client.state('completed');
  const states = client.seen.flatMap(({ kind, state }) => (kind === 'STATE_CHANGE' ? [state] : []));
  expect(states).toEqual(['working', 'completed']);
  const updates = client.seen.filter(({ kind }) => kind === 'TOOL_CALL_UPDATE');
  expect(updates.filter((update) => update['confirmation_request'] !== undefined)).toEqual([]);
  expect(updates.map(({ status }) => status).slice(0, 2)).toEqual(['PENDING', 'EXECUTING']);
  expect(updates.at(-1)).toMatchObject({
    status: 'SUCCEEDED',
    metadata: { resolvedBy: { surface: 'server', client: 'allow-list' }, selected_option_id: 'proceed_once' },
  });
});
