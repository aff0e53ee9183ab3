import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { nobody, type Principal } from '../../auth/principal.js';
import { limits } from '../http/limits.js';
import { acpAgent } from './agent.js';
import type { ConnectedClient } from './connected-client.js';
import { connectionHeader, HttpConnections } from './http-connections.js';
import { queuedOutlet } from './queued-outlet.js';
import type { SharedAcpSurface } from './surface.js';

const sessionHeader = 'acp-session-id';

/** A request to `/acp` that was checked already. It may come from another server. */
export type AcpHttpRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body?: unknown;
  readonly principal: Principal;
};

export type AcpAnswers = {
  /** `gone`: nobody reads the answer any more. */
  answer(request: AcpHttpRequest, gone: AbortSignal): Promise<Response>;
  close(): void;
};

/** Answers for the connections of this server. */
export function acpAnswers(surface: SharedAcpSurface, idleMs?: number): AcpAnswers {
  const connections = new HttpConnections(idleMs);
  const server = new AcpServer({
    createAgent: () => acpAgent(surface, queuedOutlet, nobody).app,
    maxBufferedBytes: limits.clientBufferBytes,
    maxOutputStallMs: 60_000,
  });
  return {
    async answer(request, gone) {
      const { method, headers, principal } = request;
      const id = headers[connectionHeader];
      if (id !== undefined) connections.checkOwner(id, principal);
      const leave = id === undefined ? connections.reserve(principal) : () => {};
      let joined: ConnectedClient | undefined;
      const createAgent = () => {
        const { app, client } = acpAgent(surface, queuedOutlet, principal);
        joined = client;
        return app;
      };
      if (method === 'GET' && id !== undefined) onceGone(gone, connections.hold(id));
      const session = id === undefined ? undefined : connections.onlySessionOf(id);
      const asked = server.handleRequest(toWebRequest(request, session, gone), { createAgent });
      const answer = await asked.catch((error: unknown) => {
        leave();
        throw error;
      });
      const made = answer.headers.get(connectionHeader);
      if (joined && made !== null) connections.add(made, joined, leave);
      else leave();
      return answer;
    },
    close() {
      connections.close();
      void server.close();
    },
  };
}

function onceGone(gone: AbortSignal, release: () => void): void {
  if (gone.aborted) release();
  else gone.addEventListener('abort', release, { once: true });
}

/** Some clients (goose-sdk 0.20) do not name the session in their answers. `session` is the only one it can be. */
function toWebRequest({ method, headers, body }: AcpHttpRequest, session: string | undefined, signal: AbortSignal) {
  const copied = new Headers(headers);
  if (session !== undefined && isAnswer(body) && !copied.has(sessionHeader)) copied.set(sessionHeader, session);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // The body was already read and checked, so it is serialised again.
  return new Request('http://localhost/acp', {
    method,
    headers: copied,
    signal,
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  });
}

function isAnswer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !('method' in body) && ('result' in body || 'error' in body);
}
