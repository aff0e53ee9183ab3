import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { chunkText } from '../processes/chunk.js';
import { countMessages } from './grpc-stream.js';

/** Requests a turn of `count` chunks and reads it to its end. */
export type StreamTransport = (count: number) => Promise<void>;

const extension = { 'a2a-extensions': extensionUri };
const v1 = { 'a2a-version': '1.0', ...extension };

export function streamTransports(port: number, grpcPort: number): Record<string, StreamTransport> {
  return {
    'JSON-RPC v1.0': (count) => post(port, '/', v1, rpc('SendStreamingMessage', { message: message(count) })),
    'JSON-RPC v0.3': (count) => post(port, '/', extension, rpc('message/stream', { message: oldMessage(count) })),
    'HTTP+JSON v1.0': (count) => post(port, '/a2a/rest/message:stream', v1, { message: message(count) }),
    'HTTP+JSON v0.3': (count) =>
      post(port, '/a2a/rest/v1/message:stream', extension, { message: oldProtoMessage(count) }),
    'gRPC v1.0': (count) => grpc(grpcPort, count),
    'gRPC v0.3': (count) => oldGrpc(grpcPort, count),
    'messages/stream': (count) =>
      post(port, '/tasks/session-1/messages/stream', {}, { message: { content: { text: String(count) } } }),
  };
}

function message(count: number): object {
  return { role: 'ROLE_USER', messageId: randomUUID(), parts: [{ text: String(count) }] };
}

function oldMessage(count: number): object {
  return { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text: String(count) }] };
}

function oldProtoMessage(count: number): object {
  return { role: 'ROLE_USER', messageId: randomUUID(), content: [{ text: String(count) }] };
}

function rpc(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

async function grpc(port: number, count: number): Promise<void> {
  const { path, requestSerialize } = A2AService.sendStreamingMessage;
  const request = requestSerialize(SendMessageRequest.fromJSON({ message: message(count) }));
  check(await countMessages({ port, path, metadata: v1, request }), count);
}

async function oldGrpc(port: number, count: number): Promise<void> {
  const { path, requestSerialize } = LegacyA2AService.sendStreamingMessage;
  const message = {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: 1,
    content: [{ part: { $case: 'text' as const, value: String(count) }, metadata: undefined }],
    extensions: [],
    metadata: undefined,
  };
  const request = requestSerialize({ request: message, configuration: undefined, metadata: undefined });
  check(await countMessages({ port, path, metadata: { 'x-a2a-extensions': extensionUri }, request }), count);
}

function check(messages: number, count: number): void {
  if (messages < count) throw new Error(`gRPC sent ${messages} of ${count}`);
}

/** One event as our server writes it, for the bare loop to repeat. */
export async function exampleEvent(port: number): Promise<object> {
  const text = await read(port, '/', extension, rpc('message/stream', { message: oldMessage(3) }));
  const line = text.split('\n').find((candidate) => candidate.includes('TEXT_CONTENT'));
  return JSON.parse(line?.slice('data: '.length) ?? '{}') as object;
}

export async function post(port: number, path: string, headers: Record<string, string>, body: object): Promise<void> {
  await read(port, path, headers, body, false);
}

function read(port: number, path: string, headers: Record<string, string>, body: object, keep = true): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = httpRequest({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (keep) text += chunk.toString();
      });
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    });
    call.end(JSON.stringify(body));
  });
}

/** The same event as a gRPC message. */
export function exampleMessage(event: object): Buffer {
  const { result } = event as { result: { taskId: string; contextId: string; metadata: object } };
  const { taskId, contextId, metadata } = result;
  const parts = [{ text: chunkText, mediaType: 'text/plain' }];
  const said = { messageId: `${taskId}-1`, taskId, contextId, role: 'ROLE_AGENT', parts };
  const status = { state: 'TASK_STATE_WORKING', message: said, timestamp: new Date().toISOString() };
  const response = StreamResponse.fromJSON({ statusUpdate: { taskId, contextId, status, metadata } });
  return A2AService.sendStreamingMessage.responseSerialize(response);
}
