import { AgentCard, type Message, SendMessageRequest, StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import type { MessageSendParams, Task as OldTask } from 'a2a-sdk-03';
import {
  type Client as OldClient,
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory as OldJsonRpcTransportFactory,
  RestTransportFactory as OldRestTransportFactory,
} from 'a2a-sdk-03/client';
import { GrpcTransportFactory as OldGrpcTransportFactory } from 'a2a-sdk-03/client/grpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextId } from '../support/a2a/transport.js';
import { type ConformanceAgent, openConformanceAgent, places } from '../support/open-conformance-agent.js';

const legacyCompat = { enabled: true };
const factories: Record<string, () => TransportFactory> = {
  'JSON-RPC': () => new JsonRpcTransportFactory({ legacyCompat }),
  'HTTP+JSON': () => new RestTransportFactory({ legacyCompat }),
  gRPC: () => new GrpcTransportFactory({ legacyCompat }),
};

const oldFactories = {
  JSONRPC: new OldJsonRpcTransportFactory(),
  'HTTP+JSON': new OldRestTransportFactory(),
  GRPC: new OldGrpcTransportFactory(),
};

describe.each(places)('%s', (place) => {
  let agent: ConformanceAgent;

  beforeAll(async () => {
    agent = await openConformanceAgent({ place });
  });
  afterAll(async () => {
    expect(agent.errors).toEqual([]);
    await agent.close();
  });

  describe.each(['1.0', '0.3'])('@a2a-js/sdk 1.3.0 client, v%s', (version) => {
    describe.each(Object.keys(factories))('on %s', (name) => {
      let client: Client;

      beforeAll(async () => {
        const card = AgentCard.fromJSON(await (await fetch(`${agent.url}v1/.well-known/agent-card.json`)).json());
        const supportedInterfaces = card.supportedInterfaces.filter((each) => each.protocolVersion === version);
        const factory = factories[name]?.();
        client = await new ClientFactory({ transports: factory ? [factory] : [] }).createFromAgentCard({
          ...card,
          supportedInterfaces,
        });
        expect(client.protocolVersion).toBe(version);
      });

      const message = (parts: object[], more: object = {}): SendMessageRequest =>
        SendMessageRequest.fromJSON({
          message: { messageId: nextId(), role: 'ROLE_USER', parts, ...more },
          configuration: { returnImmediately: false },
        });
      const later = (text: string): SendMessageRequest =>
        SendMessageRequest.fromJSON({
          message: { messageId: nextId(), role: 'ROLE_USER', parts: [{ text }] },
          configuration: { returnImmediately: true },
        });

      test('a blocking send has the answer as an artifact, and get tells the same', async () => {
        const task = taskOf(await client.sendMessage(message([{ text: 'hello' }])));
        expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
        expect(task.artifacts[0]?.parts[0]?.content?.value).toBe('You said: hello');
        const got = await client.getTask({ id: task.id, tenant: '', historyLength: undefined });
        expect(got.status).toEqual(task.status);
      });

      test('a stream is told to its end', async () => {
        const events = await collect(client.sendMessageStream(message([{ text: 'hello' }])));
        expect(events.map((event) => event.payload?.$case)).toEqual([
          'task',
          'statusUpdate',
          'artifactUpdate',
          'artifactUpdate',
          'statusUpdate',
        ]);
      });

      test('a turn with a permission: asked, answered, completed', async () => {
        const asked = await collect(client.sendMessageStream(message([{ text: 'tool' }])));
        const last = asked.at(-1)?.payload;
        if (last?.$case !== 'statusUpdate') throw new Error('no status at the end');
        expect(last.value.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
        const { taskId, contextId } = last.value;
        const answer = [{ data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' } }];
        const done = await collect(client.sendMessageStream(message(answer, { taskId, contextId })));
        expect(StreamResponse.toJSON(done.at(-1) ?? { payload: undefined })).toMatchObject({
          statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } },
        });
      });

      test('resubscribe joins a running task, cancel ends it for all', async () => {
        const task = taskOf(await client.sendMessage(later('hold')));
        const watching = client.resubscribeTask({ id: task.id, tenant: '' });
        expect((await watching.next()).value?.payload?.$case).toBe('task');
        const rest = collect(watching);
        const canceled = await client.cancelTask({ id: task.id, tenant: '', metadata: undefined });
        expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
        expect((await rest).at(-1)?.payload?.$case).toBe('statusUpdate');
      });

      test('an unknown task is an error the client knows', async () => {
        const getting = client.getTask({ id: 'none', tenant: '', historyLength: undefined });
        await expect(getting).rejects.toMatchObject({ name: 'TaskNotFoundError' });
      });
    });
  });

  describe.each(Object.keys(oldFactories) as (keyof typeof oldFactories)[])(
    '@a2a-js/sdk 0.3.13 client on %s',
    (name) => {
      let client: OldClient;

      beforeAll(async () => {
        const factory = new OldClientFactory({ transports: [oldFactories[name]], preferredTransports: [name] });
        client = await factory.createFromUrl(agent.url);
      });

      const message = (parts: MessageSendParams['message']['parts'], more: object = {}): MessageSendParams => ({
        message: { kind: 'message', messageId: nextId(), role: 'user', parts, ...more },
        configuration: { blocking: true },
      });
      const text = (value: string, more: object = {}): MessageSendParams =>
        message([{ kind: 'text', text: value }], more);

      test('a blocking send, and get', async () => {
        const task = (await client.sendMessage(text('hello'))) as OldTask;
        expect([task.kind, task.status.state]).toEqual(['task', 'completed']);
        expect(task.artifacts?.[0]?.parts).toMatchObject([{ text: 'You said: hello' }]);
        expect((await client.getTask({ id: task.id })).status.state).toBe('completed');
      });

      test('a turn with a permission; the last event of each stream is final', async () => {
        const asked = await collect(client.sendMessageStream(text('tool')));
        const last = asked.at(-1);
        expect(last).toMatchObject({ kind: 'status-update', status: { state: 'input-required' }, final: true });
        if (last?.kind !== 'status-update') throw new Error('no status at the end');
        const { taskId, contextId } = last;
        const data = { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' };
        const done = await collect(client.sendMessageStream(message([{ kind: 'data', data }], { taskId, contextId })));
        expect(done.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
        const finals = [...asked, ...done].filter((event) => event.kind === 'status-update' && event.final);
        expect(finals).toHaveLength(2);
      });

      test('resubscribe and cancel', async () => {
        const { message: given } = text('hold');
        const task = (await client.sendMessage({ message: given, configuration: { blocking: false } })) as OldTask;
        const watching = client.resubscribeTask({ id: task.id });
        expect((await watching.next()).value).toMatchObject({ kind: 'task', id: task.id });
        const rest = collect(watching);
        expect((await client.cancelTask({ id: task.id })).status.state).toBe('canceled');
        expect((await rest).at(-1)).toMatchObject({ status: { state: 'canceled' }, final: true });
      });

      test('a failing stream is an error, not a broken answer', async () => {
        await expect(collect(client.sendMessageStream(text('hello', { taskId: 'none' })))).rejects.toThrow(/none/);
      });
    },
  );
});

function taskOf(result: Awaited<ReturnType<Client['sendMessage']>>): Exclude<typeof result, Message> {
  if ('messageId' in result) throw new Error('a message came instead of a task');
  return result;
}

async function collect<T>(events: AsyncGenerator<T, void, undefined>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
