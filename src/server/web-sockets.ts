import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { AppError, toAppError } from '../domain/errors.js';
import type { Session } from '../session/session.js';
import { Broadcast } from './broadcast.js';
import { clientName, cursorOf } from './caller.js';
import { type DialectName, dialectsOf } from './dialect.js';
import { toHttpError } from './error-table.js';
import type { Guard } from './guards/guard.js';
import { limits } from './limits.js';
import type { ServerLog } from './server-log.js';
import { SocketClient } from './socket-client.js';

export type WebSocketOptions = {
  readonly server: Server;
  /** The session that a client asks for by `?taskId=`. Rejects when there is none. */
  readonly sessionFor: (taskId: string | undefined) => Promise<Session>;
  readonly guard: Guard;
  readonly log: ServerLog;
  readonly presence: Presence;
};

/** Told who comes and who goes. */
export type Presence = { joined(client: string, count: number): void; left(client: string, count: number): void };

/** A client that answers no ping for this long is gone. */
const pingMs = 30_000;

/** `GET /ws`: every client of every session on one path. */
export function openWebSockets(options: WebSocketOptions): { readonly count: number; close(): void } {
  const { server, sessionFor, guard, log, presence } = options;
  const broadcastsOf = openBroadcasts();
  // Frames are encoded once for all clients, so none may have compression of its own.
  const upgrader = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      (offered.has('a2a') ? 'a2a' : [...offered].find((name) => !name.startsWith('token.'))) ?? false,
  });
  const clients = new Set<SocketClient>();
  let number = 0;

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ignoreErrors = (): void => {};
    socket.on('error', ignoreErrors);
    try {
      await guard(request);
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname !== '/ws')
        throw new AppError('not-found', `there is no WebSocket at ${url.pathname}, only at /ws`);
      const session = await sessionFor(url.searchParams.get('taskId') ?? undefined);
      if (clients.size >= limits.webSockets)
        throw new AppError('too-many-clients', `${limits.webSockets} clients are connected already`);
      const after = cursorOf(url.searchParams.get('after'));
      const name = clientName(url.searchParams.get('client') ?? undefined) || `client-${++number}`;
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        const dialect: DialectName = webSocket.protocol === 'a2a' ? 'a2a' : 'endpoint';
        const broadcast = broadcastsOf(session)[dialect];
        const client = new SocketClient({ webSocket, socket, session, name, log, broadcast });
        clients.add(client);
        presence.joined(name, clients.size);
        webSocket.once('close', () => {
          clients.delete(client);
          presence.left(name, clients.size);
        });
        client.watch(after);
      });
    } catch (thrown) {
      refuse(socket, toAppError(thrown));
    }
  }

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    void onUpgrade(request, socket, head);
  server.on('upgrade', listener);
  const pings = setInterval(() => clients.forEach((client) => client.ping()), pingMs);
  pings.unref();
  return {
    get count() {
      return clients.size;
    },
    close() {
      clearInterval(pings);
      server.off('upgrade', listener);
      for (const client of clients) client.close(1001, 'the endpoint was switched off');
    },
  };
}

/** A session's broadcasts begin with its first client; without clients they hold nothing, and go when the session goes. */
function openBroadcasts(): (session: Session) => Record<DialectName, Broadcast> {
  const opened = new WeakMap<Session, Record<DialectName, Broadcast>>();
  return (session) => {
    const known = opened.get(session);
    if (known) return known;
    const { endpoint, a2a } = dialectsOf(session);
    const broadcasts = { endpoint: new Broadcast(session, endpoint), a2a: new Broadcast(session, a2a) };
    opened.set(session, broadcasts);
    return broadcasts;
  };
}

function refuse(socket: Duplex, error: AppError): void {
  const { status, body } = toHttpError(error);
  const json = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${error.code}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
  );
}
