import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

/** What a script needs to know of a request, whatever API it came by. */
export type Asked = {
  readonly tools: readonly string[];
  /** The newest message tells what a tool did. */
  readonly isAfterTool: boolean;
};

/** What the scripted model says: some text, and perhaps a tool to run. */
export type Said = {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
};

export type Script = (asked: Asked) => Said;

export type ScriptedModel = { readonly url: string; readonly requests: readonly object[]; close(): Promise<void> };

/** One API of a model on loopback, as far as agents need it to run against a script. */
export type ModelApi<Request> = {
  /** Where requests are posted to. */
  readonly path: string;
  read(request: Request): Asked;
  /** `id` is new for every request. */
  write(said: Said, request: Request, id: string): ModelReply;
};

/** One JSON document, or the data of server-sent events, which may be named. */
export type ModelReply =
  | { readonly json: object }
  | { readonly events: readonly { readonly event?: string; readonly data: object | string }[] };

export async function startScriptedModel<Request extends object>(
  api: ModelApi<Request>,
  script: Script,
): Promise<ScriptedModel> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => closeServer(server),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'POST' || !pathname.endsWith(api.path))
      return send(response, { json: { object: 'list', data: [{ id: 'fake' }] } });
    const asked = JSON.parse(await readBody(request)) as Request;
    requests.push(asked);
    const id = `${requests.length}_${Math.random().toString(36).slice(2, 10)}`;
    return send(response, api.write(script(api.read(asked)), asked, id));
  }
}

function send(response: ServerResponse, reply: ModelReply): void {
  if ('json' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.json));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of reply.events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const data of request as AsyncIterable<Buffer>) chunks.push(data);
  return Buffer.concat(chunks).toString('utf8');
}
