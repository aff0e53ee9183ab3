import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { extensionUri } from '../src/protocols/development-tool/extension.js';
import type { BareStreamMethods } from './processes/bare-stream-server.js';
import type { StreamServerMethods } from './processes/stream-server.js';
import type { Bench, Row } from './support/bench.js';
import { startHelper } from './support/helper.js';
import { median, medianRatio } from './support/statistics.js';

const chunks = 5000;
const rounds = 5;

export const streams: Bench = {
  name: 'streams',
  question: `Chunks per second of one turn of ${chunks} chunks to one client, by transport, over a bare loop of server-sent events.`,
  target: 'at least 0.6 of the bare loop on each transport; the same cost per chunk for long turns as for short ones',
  async run() {
    const ours = startHelper<StreamServerMethods>(new URL('./processes/stream-server.ts', import.meta.url));
    const bare = startHelper<BareStreamMethods>(new URL('./processes/bare-stream-server.ts', import.meta.url));
    try {
      const { port, grpcPort } = await ours.call('open');
      const transports = transportsOf(port, grpcPort);
      const floor = await bare.call('open', await exampleOf(port));
      const rates: Record<string, number[]> = {};
      for (let round = 0; round <= rounds; round++) {
        const bareRate = await rateOf(() => post(floor, `/?count=${chunks}`, {}, {}), chunks);
        const measured = { 'bare loop': bareRate, ...(await each(transports, chunks)) };
        if (round === 0) continue;
        for (const [name, rate] of Object.entries(measured)) (rates[name] ??= []).push(rate);
      }
      const bareRates = rates['bare loop'] ?? [];
      const rows: Row[] = Object.entries(rates).map(([what, values]) => ({
        what,
        'chunks/s': median(values),
        'over bare': medianRatio(values, bareRates),
      }));
      return [...rows, ...(await flatness(transports['JSON-RPC v1.0']))];
    } finally {
      await ours.stop();
      await bare.stop();
    }
  },
};

type Transport = (count: number) => Promise<void>;

async function each(transports: Readonly<Record<string, Transport>>, count: number): Promise<Record<string, number>> {
  const rates: Record<string, number> = {};
  for (const [name, run] of Object.entries(transports)) rates[name] = await rateOf(() => run(count), count);
  return rates;
}

async function rateOf(run: () => Promise<unknown>, count: number): Promise<number> {
  const startedAt = performance.now();
  await run();
  return count / ((performance.now() - startedAt) / 1000);
}

/** A turn a thousand times as long must not cost more per chunk. */
async function flatness(run: Transport | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  let short = 0;
  for (const count of [100, 1000, 10_000, 100_000]) {
    const rate = await rateOf(() => run?.(count) ?? Promise.resolve(), count);
    if (count === 1000) short = rate;
    rows.push({
      what: `JSON-RPC v1.0, ${count} chunks`,
      'chunks/s': rate,
      'over bare': short === 0 ? '' : `${(rate / short).toFixed(2)} of 1000`,
    });
  }
  return rows;
}

function transportsOf(port: number, grpcPort: number): Record<string, Transport> {
  const extension = { 'a2a-extensions': extensionUri };
  const v1 = { 'a2a-version': '1.0', ...extension };
  const message = (count: number) => ({ role: 'ROLE_USER', messageId: randomUUID(), parts: [{ text: String(count) }] });
  const legacy = (count: number) => ({
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'text', text: String(count) }],
  });
  const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  return {
    'JSON-RPC v1.0': (count) => post(port, '/', v1, rpc('SendStreamingMessage', { message: message(count) })),
    'JSON-RPC v0.3': (count) => post(port, '/', extension, rpc('message/stream', { message: legacy(count) })),
    'HTTP+JSON v1.0': (count) => post(port, '/a2a/rest/message:stream', v1, { message: message(count) }),
    'gRPC v1.0': (count) => grpc(grpcPort, port, count),
    'messages/stream': (count) =>
      post(port, '/tasks/session-1/messages/stream', {}, { message: { content: { text: String(count) } } }),
  };
}

/** One event as our server writes it, for the bare loop to write too. */
async function exampleOf(port: number): Promise<object> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/stream',
    params: {
      message: { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text: '3' }] },
    },
  };
  const text = await read(port, '/', { 'a2a-extensions': extensionUri }, body);
  const line = text.split('\n').find((candidate) => candidate.includes('TEXT_CONTENT'));
  return JSON.parse(line?.slice('data: '.length) ?? '{}') as object;
}

async function post(port: number, path: string, headers: Record<string, string>, body: object): Promise<void> {
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
      response.on('data', (chunk: Buffer) => (text = keep ? text + chunk.toString() : chunk.toString()));
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    call.end(JSON.stringify(body));
  });
}

async function grpc(grpcPort: number, port: number, count: number): Promise<void> {
  const factory = new ClientFactory({ transports: [new GrpcTransportFactory()] });
  const client = await factory.createFromUrl(`http://127.0.0.1:${port}`);
  const part = {
    content: { $case: 'text', value: String(count) },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  } as const;
  const message = {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    taskId: '',
    contextId: '',
    parts: [part],
    metadata: undefined,
    extensions: [extensionUri],
    referenceTaskIds: [],
  };
  const params: SendMessageRequest = { tenant: '', message, configuration: undefined, metadata: undefined };
  let seen = 0;
  for await (const _event of client.sendMessageStream(params)) seen++;
  if (seen < count) throw new Error(`gRPC on ${grpcPort} sent ${seen} of ${count}`);
}
