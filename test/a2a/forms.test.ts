import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentCard, StreamResponse } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { Metadata } from '@grpc/grpc-js';
import express from 'express';
import { fc } from '../support/properties.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shownWith } from '../../src/domain/turn.js';
import { isTurnEnd, type SessionEvent } from '../../src/domain/events.js';
import { agentCard } from '../../src/dialects/a2a/card.js';
import { toJson } from '../../src/dialects/a2a/json.js';
import { toJsonV03 } from '../../src/dialects/a2a/json-v03.js';
import { toProto, toProtoV03 } from '../../src/dialects/a2a/proto.js';
import { toRestJsonV03 } from '../../src/dialects/a2a/rest-json-v03.js';
import { toStreamResponse } from '../../src/dialects/a2a/to-stream.js';
import { toUpdates, type Update } from '../../src/dialects/a2a/updates.js';
import { anyEvent } from '../support/any-event.js';
import { post } from '../support/a2a/http.js';

/** What we write ourselves must be what the SDK, which we do not ask for the sake of speed, would have written. */

const updates = fc
  .tuple(fc.array(anyEvent, { minLength: 1, maxLength: 10 }), fc.boolean(), fc.boolean(), fc.string())
  .map(([events, isExtended, hasAnswer, model]) => {
    const options = { taskId: 'turn-1', contextId: 'session-1', agent: { model }, isExtended, shown: shownWith() };
    return events.flatMap((event) => toUpdates(event, options, { hasAnswer, previous: undefined, waiting: [] }));
  });

/** In protocol buffers the SDK loses a key named `__proto__`: it builds maps by assignment. Ours keep it, see the last test. */
const writable = updates.map((all) => all.filter((update) => !JSON.stringify(update).includes('"__proto__":')));

/** The SDK's `final` is what a subscription has; that of a send is tested with the streams. */
const isFinal = (update: Update): boolean => update.type === 'status' && isTurnEnd(update.state);

test('v1.0 JSON is what the SDK writes', () => {
  const fromSdk = (update: Update): string => JSON.stringify(StreamResponse.toJSON(toStreamResponse(update)));
  fc.assert(fc.property(updates, (all) => void expect(all.map(toJson)).toEqual(all.map(fromSdk))));
});

test('v0.3 JSON of JSON-RPC is what the SDK writes', async () => {
  await fc.assert(
    fc.asyncProperty(updates, async (all) => {
      const sdk = new LegacyJsonRpcTransportHandler(handlerOf(all));
      const params = { message: { kind: 'message', messageId: 'm', role: 'user', parts: [] } };
      const answer = await sdk.handle(
        { jsonrpc: '2.0', id: 1, method: 'message/stream', params },
        new ServerCallContext({ requestedVersion: '0.3' }),
      );
      const texts: string[] = [];
      for await (const { result } of answer as AsyncIterable<{ result: object }>) texts.push(JSON.stringify(result));
      expect(all.map((update) => toJsonV03(update, isFinal(update)))).toEqual(texts);
    }),
  );
});

test('v0.3 JSON of HTTP+JSON is what the SDK writes', async () => {
  await fc.assert(
    fc.asyncProperty(updates, async (all) => {
      told = all;
      const { port } = server.address() as AddressInfo;
      const message = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hello' }] };
      const response = await post(`http://127.0.0.1:${port}/v1/message:stream`, { message });
      const ours = all.map((update) => `data: ${toRestJsonV03(update, isFinal(update))}\n\n`);
      expect(ours.join('')).toBe(await response.text());
    }),
    { numRuns: 50 },
  );
});

test('v1.0 protocol buffers are what the SDK writes', () => {
  const fromSdk = (update: Update) => A2AService.sendStreamingMessage.responseSerialize(toStreamResponse(update));
  fc.assert(fc.property(writable, (all) => void expect(all.map(toProto)).toEqual(all.map(fromSdk))));
});

test('v0.3 protocol buffers are what the SDK writes', async () => {
  await fc.assert(
    fc.asyncProperty(writable, async (all) => {
      const service = legacyGrpcService({ requestHandler: handlerOf(all), userBuilder: UserBuilder.noAuthentication });
      const written: Buffer[] = [];
      const message = {
        messageId: 'm',
        contextId: '',
        taskId: '',
        role: 1,
        content: [],
        extensions: [],
        metadata: undefined,
      };
      await new Promise<void>((end) => {
        // Only what the SDK uses of a call.
        const call = {
          metadata: new Metadata(),
          request: { request: message, configuration: undefined, metadata: undefined },
          sendMetadata: () => {},
          write: (event: never) => written.push(LegacyA2AService.sendStreamingMessage.responseSerialize(event)),
          emit: (_name: string, error: Error) => expect(error).toBeUndefined(),
          end,
        };
        service.sendStreamingMessage(call as never);
      });
      expect(all.map((update) => toProtoV03(update, isFinal(update)))).toEqual(written);
    }),
  );
});

test('an argument named __proto__ is in every form', () => {
  const args = JSON.parse('{"outer":{"__proto__":"kept"}}') as Readonly<Record<string, unknown>>;
  const event: SessionEvent = {
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    sessionId: 'session-1',
    turnId: 'turn-1',
    type: 'tool',
    call: { id: 'call-1', name: 'tool', args, status: 'pending' },
  };
  const options = {
    taskId: 'turn-1',
    contextId: 'session-1',
    agent: { model: '' },
    isExtended: true,
    shown: shownWith(),
  };
  const all = toUpdates(event, options, { hasAnswer: false, previous: undefined, waiting: [] });
  for (const write of [toJson, toJsonV03, toRestJsonV03, toProto, toProtoV03])
    expect(all.map((update) => write(update, false).toString()).join('')).toMatch(/__proto__.{1,6}kept/);
});

let told: readonly Update[] = [];
let server: Server;

beforeAll(async () => {
  const app = express();
  const options = { requestHandler: handlerOf(() => told), userBuilder: UserBuilder.noAuthentication };
  app.use(restHandler({ ...options, legacyCompat: { enabled: true } }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** The least that the SDK's transports need to stream these. */
function handlerOf(all: readonly Update[] | (() => readonly Update[])): A2ARequestHandler {
  const card: AgentCard = agentCard({
    name: 'agent',
    url: 'http://127.0.0.1/',
    grpcHost: '127.0.0.1:1',
    version: '0',
    isClosed: false,
    security: [],
    hasExtendedCard: false,
    acpVersions: [1],
    description: '',
  });
  const handler = {
    getAgentCard: () => Promise.resolve(card),
    async *sendMessageStream() {
      yield* (typeof all === 'function' ? all() : all).map(toStreamResponse);
    },
  };
  return handler as unknown as A2ARequestHandler;
}
