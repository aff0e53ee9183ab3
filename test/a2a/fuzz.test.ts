import { Agent, request as httpRequest } from 'node:http';
import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fc } from '../support/properties.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { all } from '../support/a2a/transport.js';
import { type ConformanceAgent, openConformanceAgent, places } from '../support/open-conformance-agent.js';
import { patienceMs } from '../support/until.js';

/** Requests per place and transport, the same every time unless there are more, and how many of them are under way at once. */
const total = Number(process.env['FUZZ_REQUESTS'] ?? 500);
const batch = 50;

let agent: ConformanceAgent;
const keepAlive = new Agent({ keepAlive: true, maxSockets: batch });

afterAll(() => keepAlive.destroy());

/** Something right, something nearly right, or anything. */
const text = fc.oneof(fc.constantFrom('', 'hello', 'none', 'tool', 'ctx', '0', '-1', '\u0000', '💥'), fc.string());
const junk = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.boolean(),
  fc.constant([]),
  fc.constant({}),
  text,
  fc.jsonValue(),
);
const or = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: junk });
const shaped = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  or(fc.record(fields, { requiredKeys: [] }));

const part = shaped({
  kind: or(fc.constantFrom('text', 'data', 'file')),
  text: or(text),
  data: junk,
  raw: or(fc.constantFrom('dGNr', '%%%')),
  url: or(text),
  file: shaped({ bytes: or(text), uri: or(text), mimeType: or(text) }),
  mediaType: or(fc.constantFrom('text/plain', 'image/png', '')),
  metadata: junk,
});
const confirmation = fc.record({
  data: fc.record({ tool_call_id: or(text), selected_option_id: or(fc.constantFrom('proceed_once', 'cancel')) }),
  kind: fc.constant('data'),
});
const message = shaped({
  messageId: or(fc.oneof(text, fc.constantFrom('tck-complete-task', 'tck-reject-task', 'tck-message-response'))),
  role: or(fc.constantFrom('ROLE_USER', 'user', 'ROLE_AGENT', 1, 99)),
  parts: or(fc.array(fc.oneof(part, confirmation), { maxLength: 3 })),
  content: or(fc.array(part, { maxLength: 2 })),
  taskId: or(text),
  contextId: or(text),
  metadata: or(fc.constantFrom({ [extensionUri]: {} }, {})),
  extensions: or(fc.constantFrom([extensionUri], [])),
  referenceTaskIds: or(fc.array(text, { maxLength: 2 })),
});
/** One that is taken and starts a turn. */
const goodMessage = fc.record({
  messageId: fc.uuid(),
  role: fc.constantFrom('ROLE_USER', 'user'),
  parts: fc.tuple(fc.record({ kind: fc.constant('text'), text: fc.constantFrom('hello', 'pause', 'fail', 'count 2') })),
  contextId: fc.constantFrom('a', 'b', ''),
});
const push = shaped({
  id: or(text),
  taskId: or(text),
  url: or(fc.constantFrom('http://127.0.0.1:9/', 'file:///etc/passwd', 'x')),
  token: or(text),
  authentication: shaped({ scheme: or(text), schemes: or(fc.array(text, { maxLength: 1 })), credentials: or(text) }),
});
const params = fc.oneof(
  fc.record({ message: goodMessage }),
  shaped({
    message,
    request: message,
    configuration: shaped({
      historyLength: or(fc.integer({ min: -2, max: 5 })),
      returnImmediately: fc.constant(true),
      blocking: fc.constant(false),
      acceptedOutputModes: or(fc.array(text, { maxLength: 1 })),
    }),
  }),
  shaped({ id: or(text), taskId: or(text), historyLength: or(fc.integer()), pushNotificationConfigId: or(text) }),
  shaped({
    contextId: or(text),
    status: or(fc.constantFrom('TASK_STATE_WORKING', 3, 77)),
    pageSize: or(fc.integer({ min: -1, max: 200 })),
    pageToken: or(text),
    statusTimestampAfter: or(fc.constantFrom('2020-01-01T00:00:00Z', 'x')),
  }),
  push,
  shaped({ taskId: or(text), pushNotificationConfig: push }),
  shaped({ command_path: or(fc.array(text, { maxLength: 2 })), args: or(text), contextId: or(text) }),
);

const methods = (
  'SendMessage SendStreamingMessage GetTask ListTasks CancelTask SubscribeToTask CreateTaskPushNotificationConfig ' +
  'GetTaskPushNotificationConfig ListTaskPushNotificationConfigs DeleteTaskPushNotificationConfig ' +
  'GetExtendedAgentCard message/send message/stream tasks/get tasks/cancel tasks/resubscribe ' +
  'tasks/pushNotificationConfig/set tasks/pushNotificationConfig/get tasks/pushNotificationConfig/list ' +
  'tasks/pushNotificationConfig/delete commands/get command/execute nope __proto__'
).split(' ');
const headers = fc.constantFrom<Record<string, string>>(
  { 'a2a-version': '1.0' },
  { 'a2a-version': '1.0', 'a2a-extensions': extensionUri },
  {},
  { 'a2a-version': '0.3' },
  { 'a2a-version': '2.0' },
  { 'last-event-id': '5' },
);

describe.each(places)('%s', (place) => {
  beforeAll(async () => {
    agent = await openConformanceAgent({ place });
  });
  afterAll(() => agent.close());

  test(`JSON-RPC: ${total} random requests`, async () => {
    const envelope = fc.record({
      jsonrpc: or(fc.constant('2.0')),
      id: or(fc.integer()),
      method: or(fc.constantFrom(...methods)),
      params: or(params),
    });
    await shoot(fc.tuple(envelope, headers), async ([body, sent]) => {
      const { status: code, text: answer } = await call('POST', '/', JSON.stringify(body), sent);
      expect(code, `sent ${JSON.stringify(body)}`).toBeLessThan(500);
      expect(answer, `sent ${JSON.stringify(body)}`).not.toMatch(/-32603|Cannot read|is not a function|at .*\.js/);
    });
  });

  test(`HTTP+JSON: ${total} random requests`, async () => {
    const segment = fc.oneof(fc.constantFrom('none', 'x', '%zz', '..', '%2e'), text.map(encodeURIComponent));
    const path = fc
      .tuple(
        fc.constantFrom('', '/v1', '/tenant'),
        fc.constantFrom(
          '/message:send',
          '/message:stream',
          '/tasks',
          '/tasks/$',
          '/tasks/$:cancel',
          '/tasks/$:subscribe',
          '/tasks/$/pushNotificationConfigs',
          '/tasks/$/pushNotificationConfigs/$',
          '/extendedAgentCard',
          '/card',
          '/$',
        ),
        segment,
        fc.constantFrom('', '?historyLength=x', '?pageSize=-1', '?status=3&status=4', '?pageToken=%00', '?contextId=a'),
      )
      .map(([root, form, id, query]) => `/a2a/rest${root}${form.replaceAll('$', id || 'x')}${query}`);
    const method = fc.constantFrom('GET', 'POST', 'POST', 'DELETE', 'PUT');
    await shoot(fc.tuple(method, path, or(params), headers), async ([verb, where, body, sent]) => {
      const { status: code, text: answer } = await call(verb, where, JSON.stringify(body), sent);
      expect(code, `${verb} ${where} ${JSON.stringify(body)} ${answer}`).toBeLessThan(500);
    });
  });

  test(`gRPC: ${total} random requests`, async () => {
    const client = new Client(`127.0.0.1:${agent.grpcPort ?? 0}`, credentials.createInsecure());
    const kinds = [
      [A2AService.sendMessage, SendMessageRequest],
      [A2AService.sendStreamingMessage, SendMessageRequest],
      [A2AService.getTask, GetTaskRequest],
      [A2AService.listTasks, ListTasksRequest],
      [A2AService.cancelTask, CancelTaskRequest],
      [A2AService.subscribeToTask, SubscribeToTaskRequest],
      [A2AService.createTaskPushNotificationConfig, TaskPushNotificationConfig],
    ] as const;
    const kind = fc.constantFrom(...kinds);
    await shoot(
      fc.tuple(kind, params, headers, fc.uint8Array({ maxLength: 60 })),
      async ([[method, type], given, sent, bytes]) => {
        const metadata = new Metadata();
        for (const [key, value] of Object.entries(sent)) metadata.set(key, value);
        const end = await new Promise<{ code: number; details: string }>((resolve) => {
          const serialize = (): Buffer => toBytes(method, type, given) ?? Buffer.from(bytes);
          const deadline = Date.now() + patienceMs;
          const stream = client.makeServerStreamRequest(method.path, serialize, (raw) => raw, {}, metadata, {
            deadline,
          });
          stream.on('data', () => {});
          stream.on('error', () => {});
          stream.on('status', resolve);
        });
        // Bytes that are no message at all never reach us: the gRPC library itself answers INTERNAL.
        if (end.details.startsWith('Error deserializing request')) return;
        expect(
          [status.INTERNAL, status.UNKNOWN, status.DEADLINE_EXCEEDED],
          `${JSON.stringify(given)} ${end.details}`,
        ).not.toContain(end.code);
      },
    );
    client.close();
  });
});

type Method = { requestSerialize(value: never): Buffer };

/** The bytes of a request, or nothing when what was drawn cannot even be written. */
function toBytes(method: Method, type: { fromJSON(json: unknown): unknown }, given: unknown): Buffer | undefined {
  try {
    return method.requestSerialize(type.fromJSON(given ?? {}) as never);
  } catch {
    return undefined;
  }
}

/** Runs the requests in batches; afterwards no stream is left open and the server answers as ever. */
async function shoot<T>(arbitrary: fc.Arbitrary<T>, fire: (request: T) => Promise<void>): Promise<void> {
  const requests = fc.sample(arbitrary, {
    numRuns: total,
    seed: 42 + places.findIndex((place) => place === agent.place),
  });
  for (let start = 0; start < total; start += batch) await Promise.all(requests.slice(start, start + batch).map(fire));
  expect(agent.errors).toEqual([]);
  expect(Object.keys(keepAlive.sockets), 'connections in use').toEqual([]);
  const events = await all(jsonRpc(agent.url.slice(0, -1), '1.0').stream({ text: 'hello' }));
  expect(events.at(-1)?.state).toBe('completed');
}

/** A request on a kept connection, read to its end: whatever was asked, the answer ends by itself. */
function call(
  method: string,
  path: string,
  body: string | undefined,
  sent: Record<string, string>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${agent.url.slice(0, -1)}${path}`, {
      agent: keepAlive,
      method,
      headers: {
        'content-type': 'application/json',
        ...(method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body ?? '') }),
        ...sent,
      },
      timeout: patienceMs,
    });
    request.once('timeout', () => request.destroy(new Error(`no answer: ${method} ${path} ${body ?? ''}`)));
    request.once('error', reject);
    request.once('response', (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (answer += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text: answer }));
    });
    request.end(method === 'GET' ? undefined : body);
  });
}
