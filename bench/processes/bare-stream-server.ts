import { createServer, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../src/util/listen-on-loopback.js';
import { serve } from '../support/serve.js';
import { chunksPerTick } from './chunk.js';

/** The floor: a loop that writes the same bytes as server-sent events, and nothing else. */
async function stream(response: ServerResponse, count: number, event: object): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < count; sent++) {
    if (sent % chunksPerTick === 0) await new Promise(setImmediate);
    const hasRoom = response.write(`id: ${sent}\ndata: ${JSON.stringify(event)}\n\n`);
    if (!hasRoom) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

const methods = {
  open(event: object): Promise<number> {
    const server = createServer((request, response) => {
      const count = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('count'));
      void stream(response, count, event);
    });
    return listenOnLoopback(server, 0);
  },
};

export type BareStreamMethods = typeof methods;
serve(methods);
