import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { all, type Json, type Seen, type Transport, transportNames } from '../support/a2a/transport.js';
import { openTransport } from '../support/checklist.js';
import { freePort } from '../support/free-port.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({ run: [call('run_shell_command', { command: 'touch made.txt' })] }));
afterAll(() => model.close());
const folder = temporaryFolder();
const grpcPort = await freePort();
const args = ['--grpc-port', String(grpcPort)];
const served = await startServe({ folder, modelUrl: model.url, args }, 'file');

/** The first message has AgentSettings, as the RFC prescribes, and is the only one to name the extension. */
const metadata = { [extensionUri]: {} };
const kindOf = ({ what, metadata: told }: Seen): unknown => ((told[extensionUri] ?? {}) as Json)['kind'] ?? what;

/** Steps 1 to 5 of the RFC's appendix. */
async function ask(client: Transport): Promise<{ taskId: string; contextId: string; callId: unknown }> {
  const events = await all(client.stream({ text: 'run it', metadata }));
  const asked = events.flatMap(({ data }) => data).find((each) => 'confirmation_request' in each);
  const { id: taskId = '', contextId = '' } = events[0] ?? {};
  return { taskId, contextId, callId: asked?.['tool_call_id'] };
}

test('steps 6, 7 and 10 of the appendix need no header, on any transport', async () => {
  for (const name of transportNames) {
    const client = openTransport({ url: served.url, grpcPort }, name);
    const { taskId, contextId, callId } = await ask(client);
    const data = { tool_call_id: callId, selected_option_id: 'proceed_once' };
    const answered = await all(client.stream({ data, taskId }));
    const statuses = answered.flatMap((event) => event.data.map((each) => each['status']));
    expect([name, statuses.at(0), statuses.at(-1)]).toEqual([name, 'EXECUTING', 'SUCCEEDED']);
    expect(answered.map(kindOf)).toContain('TEXT_CONTENT');
    expect(answered.map(kindOf)).not.toContain('artifact');
    expect(answered.at(-1)?.state).toBe('completed');

    const again = await all(client.stream({ text: 'thanks', taskId }));
    expect(again[0]).toMatchObject({ what: 'task', contextId, metadata: { [extensionUri]: { continues: taskId } } });
    expect(again.map(kindOf)).toContain('TEXT_CONTENT');
    // The task that continues it was started with the extension too.
    const third = await all(client.stream({ text: 'thanks again', taskId: again[0]?.id ?? '' }));
    expect(third.map(kindOf)).toContain('TEXT_CONTENT');

    const generic = await all(client.stream({ text: 'hello', contextId }));
    expect([name, generic.map(kindOf)]).toEqual([name, expect.not.arrayContaining(['TEXT_CONTENT'])]);
    await expect(client.send({ text: 'more', taskId: generic[0]?.id ?? '' })).rejects.toThrow(
      /continue with a new task/,
    );
    client.close();
  }
});

/** The last one: it kills the server. */
test('it is remembered over a kill -9', async () => {
  const { taskId } = await ask(openTransport(served, 'JSON-RPC v0.3'));
  served.kill('SIGKILL');
  await served.exit;
  const client = openTransport(await startServe({ folder, modelUrl: model.url }), 'JSON-RPC v0.3');
  await client.cancel(taskId);
  const again = await all(client.stream({ text: 'thanks', taskId }));
  expect(again.map(kindOf)).toContain('TEXT_CONTENT');
});
