import { expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { all, nextId, type Seen, type Transport, transportNames } from '../support/a2a/transport.js';
import { later, openTransport } from '../support/checklist.js';
import { freePort } from '../support/free-port.js';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';

const grpcPort = await freePort();
const fixture = useLive({
  script: scriptOf({ run: [call('run_shell_command', { command: 'touch made.txt' })] }),
  args: ['--grpc-port', String(grpcPort)],
});

const on = async (name: Transport['name']): Promise<Transport> =>
  openTransport({ url: (await fixture.live.entry()).url, grpcPort }, name);
const contextsOf = (events: readonly Seen[]): Set<unknown> => new Set(events.map(({ contextId }) => contextId));

test.each(transportNames)('a context that the client chose is its name for the session, on %s', async (name) => {
  const client = await on(name);
  const contextId = `thread-${nextId()}`;
  const events = await all(client.stream({ text: 'hello', contextId }));
  expect([...contextsOf(events)]).toEqual([contextId]);
  expect(events.at(-1)?.state).toBe('completed');
  const { id = '' } = events[0] ?? {};
  expect(await client.get(id)).toMatchObject({ contextId, state: 'completed' });
  expect(await client.send({ text: 'again', contextId })).toMatchObject({ contextId, state: 'completed' });
  if (client.list) {
    const { tasks } = await client.list({ contextId });
    expect(tasks.map((task) => task.id)).toContain(id);
    expect([...contextsOf(tasks)]).toEqual([contextId]);
    expect((await client.list({ contextId: 'nobody-said-so' })).totalSize).toBe(0);
  }
  client.close();
});

test('everybody shares the session, and each is told of it under its own name', async () => {
  const [one, other] = [await on('JSON-RPC v1.0'), await on('gRPC v0.3')];
  const { sessionId } = await fixture.live.entry();
  const asking = await all(one.stream({ text: 'run it', contextId: 'thread-1' }));
  expect(asking.at(-1)).toMatchObject({ contextId: 'thread-1', state: 'input-required' });
  const { id: taskId = '' } = asking[0] ?? {};
  const watching = other.subscribe(taskId);
  expect((await watching.next()).value).toMatchObject({ contextId: 'thread-1' });

  const [question] = asking.flatMap(({ data }) => data).filter((each) => 'tool_call_id' in each);
  const data = { tool_call_id: question?.['tool_call_id'], selected_option_id: 'proceed_once' };
  // Another client answers, under another name that is known here.
  await other.send({ text: 'next', contextId: 'thread-2' }, later);
  const answering = await all(other.stream({ data, taskId, contextId: 'thread-2' }));
  expect([...contextsOf(answering)]).toEqual(['thread-2']);
  expect(answering.at(-1)?.state).toBe('completed');
  expect([...contextsOf(await all(watching))]).toEqual(['thread-1']);

  expect((await one.send({ text: 'hello' })).contextId).toBe(sessionId);
  await expect(one.send({ text: 'hello', taskId, contextId: 'never-heard-of' })).rejects.toThrow(/belongs to context/);
  one.close();
  other.close();
});
