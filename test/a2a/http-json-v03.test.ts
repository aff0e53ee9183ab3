import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentCard, Message, type SendMessageRequest, Task, type TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCard } from '../../src/dialects/a2a/card.js';
import {
  toCardV03,
  toResultV03,
  toTaskV03,
  toWebhooksV03,
  toWebhookV03,
} from '../../src/dialects/a2a/rest-v03-answer.js';
import { readSendV03, readWebhookV03 } from '../../src/dialects/a2a/rest-v03-request.js';
import { post } from '../support/a2a/http.js';
import { fc } from '../support/properties.js';

/** HTTP+JSON of v0.3 is our own; it must read and write what the SDK's transport reads and writes. */

const text = fc.oneof(fc.string(), fc.constantFrom('', 'tasks/1', 'image/png'));
const wire = fc.dictionary(fc.string(), fc.jsonValue());
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.option(value, { nil: undefined });
const fields = (all: Record<string, fc.Arbitrary<unknown>>) => fc.record(all, { requiredKeys: [] });

const partBody = fields({
  text: optional(text),
  file: optional(fields({ fileWithUri: text, file_with_bytes: fc.base64String(), mimeType: text, mime_type: text })),
  data: optional(fields({ data: wire })),
});
const messageBody = fields({
  messageId: fc.string({ minLength: 1 }),
  message_id: fc.string({ minLength: 1 }),
  contextId: optional(text),
  context_id: text,
  taskId: text,
  role: fc.constantFrom('ROLE_USER', 'ROLE_USER', 'ROLE_AGENT', 'ROLE_UNSPECIFIED', 0, 1, 2, 9, null),
  content: optional(fc.array(partBody, { maxLength: 3 })),
  metadata: optional(wire),
  extensions: fc.array(text, { maxLength: 2 }),
});
const webhookBody = fields({
  id: text,
  url: text,
  token: optional(text),
  authentication: optional(fields({ schemes: fc.array(text, { maxLength: 1 }), credentials: text })),
});
const sendBody = fields({
  message: optional(messageBody),
  request: messageBody,
  configuration: optional(
    fields({
      blocking: fc.boolean(),
      historyLength: fc.nat(),
      accepted_output_modes: fc.array(text, { maxLength: 2 }),
      pushNotification: optional(webhookBody),
    }),
  ),
  metadata: wire,
});
const registration = fields({
  name: fc.oneof(text, fc.constantFrom('tasks/1', 'tasks/1/pushNotificationConfigs/2')),
  pushNotificationConfig: optional(webhookBody),
});

test('requests to send are read as the SDK reads them', async () => {
  await fc.assert(
    fc.asyncProperty(sendBody, async (body) => {
      const { status, answer } = await ask('POST', '/v1/message:send', body);
      const ours = outcomeOf(() => readSendV03(body));
      // Whether a message has an id is asked where it is delivered.
      if (status === 400 && answer['message'] === 'message.messageId is required') return;
      if ('read' in ours) expect(ours.read).toEqual(seen.sent);
      else expect(answer).toEqual({ code: -32602, message: ours.refused });
    }),
  );
});

test('webhooks are read as the SDK reads them', async () => {
  await fc.assert(
    fc.asyncProperty(registration, async (body) => {
      const { answer } = await ask('POST', '/v1/tasks/1/pushNotificationConfigs', body);
      const ours = outcomeOf(() => readWebhookV03(body));
      if ('read' in ours) expect(ours.read).toEqual(seen.webhook);
      else expect(answer).toEqual({ code: -32602, message: ours.refused });
    }),
  );
});

const part = fc
  .oneof(
    fc.record({ text, mediaType: text }),
    fc.record({ data: wire, mediaType: text }),
    fc.record({ raw: fc.base64String(), filename: text, mediaType: text }),
    fc.record({ url: text, filename: text, mediaType: text }),
  )
  .filter((value) => !JSON.stringify(value).includes('"__proto__":'));
const message = fc
  .record({
    messageId: text,
    contextId: text,
    taskId: text,
    role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
    parts: fc.array(part, { maxLength: 3 }),
    metadata: fc.constantFrom(undefined, { a: 1 }),
    extensions: fc.array(text, { maxLength: 1 }),
    referenceTaskIds: fc.array(text, { maxLength: 1 }),
  })
  .map((json) => Message.fromJSON(json));
const task = fc
  .record({
    id: text,
    contextId: text,
    status: fc.record({ state: fc.integer({ min: 1, max: 8 }), timestamp: fc.constant('2026-01-01T00:00:00.000Z') }),
    artifacts: fc.array(
      fc.record({ artifactId: text, name: text, description: text, parts: fc.array(part, { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
    metadata: fc.constantFrom(undefined, { a: 1 }),
  })
  .chain((json) =>
    fc.tuple(fc.array(message, { maxLength: 2 }), fc.option(message, { nil: undefined })).map(([history, said]) => {
      const made = Task.fromJSON(json);
      return { ...made, history, status: made.status && { ...made.status, message: said } };
    }),
  );

test('tasks and messages are written as the SDK writes them', async () => {
  const good = { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hello' }] } };
  await fc.assert(
    fc.asyncProperty(fc.oneof(task, message), async (result) => {
      told = { ...told, result };
      expect((await ask('POST', '/v1/message:send', good)).text).toBe(JSON.stringify(toResultV03(result)));
    }),
  );
  await fc.assert(
    fc.asyncProperty(task, async (result) => {
      told = { ...told, result };
      expect((await ask('GET', '/v1/tasks/1')).text).toBe(JSON.stringify(toTaskV03(result)));
    }),
    { numRuns: 20 },
  );
});

test('webhooks are written as the SDK writes them', async () => {
  const authentication = fc.option(fc.record({ scheme: text, credentials: text }), { nil: undefined });
  const webhook = fc.record({
    tenant: fc.constant(''),
    taskId: text,
    id: text,
    url: text,
    token: text,
    authentication,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(webhook, { maxLength: 2 }), async (configs) => {
      told = { ...told, configs };
      const listed = await ask('GET', '/v1/tasks/1/pushNotificationConfigs');
      expect(listed.text).toBe(JSON.stringify(toWebhooksV03(configs)));
      const [first] = configs;
      if (!first) return;
      const shown = await ask('GET', '/v1/tasks/1/pushNotificationConfigs/2');
      expect(shown.text).toBe(JSON.stringify(toWebhookV03(first)));
    }),
  );
});

test('the card is written as the SDK writes it, whoever may read it', async () => {
  const security = [
    { type: 'bearer', description: 'a token' },
    { type: 'openIdConnect', url: 'http://issuer/', description: '' },
  ] as const;
  for (const isClosed of [true, false]) {
    const signatures = [{ protected: 'p', signature: 's', header: isClosed ? { kid: 'k' } : undefined }];
    told = { ...told, card: { ...cardOf(isClosed, isClosed ? security : []), signatures } };
    // The same, but in another order.
    expect(JSON.parse(JSON.stringify(toCardV03(told.card)))).toEqual((await ask('GET', '/v1/card')).answer);
  }
});

let told: {
  result: Message | Task;
  configs: readonly TaskPushNotificationConfig[];
  card: AgentCard;
} = { result: Task.fromJSON({}), configs: [], card: cardOf(false, []) };
let seen: { sent?: SendMessageRequest; webhook?: TaskPushNotificationConfig } = {};
let server: Server;

beforeAll(async () => {
  // The least that the SDK's transport needs.
  const requestHandler = {
    getAgentCard: async () => cardOf(false, []),
    getAuthenticatedExtendedAgentCard: async () => told.card,
    sendMessage: async (sent: SendMessageRequest) => ((seen = { sent }), told.result),
    getTask: async () => told.result,
    createTaskPushNotificationConfig: async (webhook: TaskPushNotificationConfig) => ((seen = { webhook }), webhook),
    getTaskPushNotificationConfig: async () => told.configs[0],
    listTaskPushNotificationConfigs: async () => ({ configs: told.configs, nextPageToken: '' }),
  } as unknown as A2ARequestHandler;
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  server = createServer(express().use(restHandler(options))).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

function cardOf(isClosed: boolean, security: Parameters<typeof agentCard>[0]['security']): AgentCard {
  return agentCard({
    name: 'agent',
    url: 'http://127.0.0.1/',
    version: '0',
    isClosed,
    security,
    hasExtendedCard: isClosed,
    acpVersions: [1],
    description: 'of a test',
  });
}

async function ask(method: 'GET' | 'POST', path: string, body?: object) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const response = await (method === 'GET' ? fetch(url) : post(url, body ?? {}));
  const answered = await response.text();
  return { status: response.status, text: answered, answer: JSON.parse(answered) as Record<string, unknown> };
}

function outcomeOf<T>(read: () => T): { read: T } | { refused: string } {
  try {
    return { read: read() };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
