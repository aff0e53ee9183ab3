import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

export type Posted = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
};

/** A webhook on loopback that remembers what it was sent and answers with the given status, one after another. */
export async function openWebhook(statuses: readonly number[] = [200]) {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      posted.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as unknown });
      const status = statuses[Math.min(posted.length, statuses.length) - 1] ?? 200;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  const port = await listenOnLoopback(server, 0);
  return { posted, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}
