import { createServer, type ServerResponse } from 'node:http';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { cpuMicroseconds } from '../support/clock.js';
import { serve } from '../support/serve.js';
import { chunksPerTick } from './chunk.js';

/** The floors: loops that only write the same bytes again and again. */
export type Examples = { readonly event: object; readonly message: Buffer };

async function events(response: ServerResponse, count: number, event: object): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < count; sent++) {
    if (sent % chunksPerTick === 0) await new Promise(setImmediate);
    const hasRoom = response.write(`id: ${sent}\ndata: ${JSON.stringify(event)}\n\n`);
    if (!hasRoom) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

async function messages(call: ServerWritableStream<Buffer, Buffer>, message: Buffer): Promise<void> {
  const count = Number(call.request.toString());
  for (let sent = 0; sent < count; sent++) {
    if (sent % chunksPerTick === 0) await new Promise(setImmediate);
    const hasRoom = call.write(message);
    if (!hasRoom) await new Promise((resolve) => call.once('drain', resolve));
  }
  call.end();
}

const asItIs = (bytes: Buffer): Buffer => bytes;

function openGrpc(message: Buffer): Promise<number> {
  const loop = {
    path: '/bare/loop',
    requestStream: false,
    responseStream: true,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  } as const;
  const server = new Server();
  server.addService({ loop }, { loop: (call: ServerWritableStream<Buffer, Buffer>) => void messages(call, message) });
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
}

const methods = {
  cpuMicroseconds,

  async open({ event, message }: Examples): Promise<{ port: number; grpcPort: number }> {
    const server = createServer((request, response) => {
      const count = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('count'));
      void events(response, count, event);
    });
    // A buffer from another process arrives as plain bytes.
    return { port: await listenOnLoopback(server, 0), grpcPort: await openGrpc(Buffer.from(message)) };
  },
};

export type BareStreamMethods = typeof methods;
serve(methods);
