import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import type { Request as ExpressRequest, RequestHandler } from 'express';
import { nobody } from '../../auth/principal.js';
import { principalOf } from '../guards/admission.js';
import { needForAcp } from '../guards/scopes.js';
import { keepAlive } from '../http/heartbeat.js';
import { limits } from '../http/limits.js';
import { acpAgent } from './agent.js';
import { HttpConnections } from './http-connections.js';
import type { ConnectedClient } from './connected-client.js';
import type { SharedAcpSurface } from './surface.js';
import { queuedOutlet } from './queued-outlet.js';

const connectionHeader = 'acp-connection-id';
const sessionHeader = 'acp-session-id';

/** `/acp`: ACP over HTTP, as its remote transport defines it. Clients post messages and get a stream of events. */
export function acpOverHttp(surface: SharedAcpSurface, idleMs?: number): { handle: RequestHandler; close(): void } {
  const connections = new HttpConnections(idleMs);
  const server = new AcpServer({
    createAgent: () => acpAgent(surface, queuedOutlet, nobody).app,
    maxBufferedBytes: limits.clientBufferBytes,
    maxOutputStallMs: 60_000,
  });
  const handle: RequestHandler = async (request, response) => {
    const id = request.get(connectionHeader);
    const principal = principalOf(request);
    if (id !== undefined) connections.checkOwner(id, principal);
    if (request.method === 'POST') needForAcp(principal, request.body);
    const leave = id === undefined ? connections.reserve(principal) : () => {};
    let joined: ConnectedClient | undefined;
    const createAgent = () => {
      const { app, client } = acpAgent(surface, queuedOutlet, principal);
      joined = client;
      return app;
    };
    const release = request.method === 'GET' && id !== undefined ? connections.hold(id) : () => {};
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
      release();
    });
    const session = id === undefined ? undefined : connections.onlySessionOf(id);
    const asked = server.handleRequest(toWebRequest(request, session, gone.signal), { createAgent });
    const answer = await asked.catch((error: unknown) => {
      leave();
      throw error;
    });
    const made = answer.headers.get(connectionHeader);
    if (joined && made !== null) connections.add(made, joined, leave);
    else leave();
    await writeAnswer(answer, response, gone.signal);
  };
  return {
    handle,
    close() {
      connections.close();
      void server.close();
    },
  };
}

/** Some clients (goose-sdk 0.20) do not name the session in their answers. `session` is the only one it can be. */
function toWebRequest(request: ExpressRequest, session: string | undefined, signal: AbortSignal): Request {
  const { method } = request;
  const body: unknown = request.body;
  const headers = toWebHeaders(request);
  if (session !== undefined && isAnswer(body) && !headers.has(sessionHeader)) headers.set(sessionHeader, session);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // The body was already read and checked, so it is serialised again.
  return new Request('http://localhost/acp', {
    method,
    headers,
    signal,
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  });
}

function toWebHeaders({ headers }: IncomingMessage): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !hopByHop.has(name)) copied.set(name, value);
  }
  return copied;
}

const hopByHop = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

function isAnswer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !('method' in body) && ('result' in body || 'error' in body);
}

async function writeAnswer(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  response.flushHeaders();
  if (answer.headers.get('content-type') === 'text/event-stream') keepAlive(response);
  const written = new WritableStream<Uint8Array>({
    async write(chunk) {
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    },
    close: () => void response.end(),
    abort: () => void response.destroy(),
  });
  // Node's pipeline would add six listeners, more than a response may have. A client that disconnects is not a failure.
  return answer.body.pipeTo(written, { signal }).catch(() => {});
}
