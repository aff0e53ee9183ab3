import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Principal } from '../auth/principal.js';
import { AppError, toAppError } from '../domain/errors.js';
import type { Session } from '../session/session.js';
import { openAcpSocket } from './acp/socket-connection.js';
import type { SharedAcpSurface } from './acp/surface.js';
import { Broadcast } from './broadcast.js';
import { clientName, cursorOf } from './caller.js';
import { type DialectName, dialectsOf } from './dialect.js';
import { toHttpError } from './error-table.js';
import { errorHeaders } from './error-headers.js';
import { longSilenceMs, silenceMs, spokenBy } from './first-frame.js';
import { greet, seat, type Waiter } from './greet.js';
import { admissionOf } from './guards/admission.js';
import type { Gate } from './guards/gate.js';
import type { Guard } from './guards/guard.js';
import type { Leases } from './guards/leases.js';
import { need } from './guards/scopes.js';
import { limits } from './limits.js';
import type { Lobby } from './lobby.js';
import type { ServerLog } from './server-log.js';
import { SocketClient } from './socket-client.js';
import { turnAway } from './turn-away.js';

export type WebSocketOptions = {
  readonly server: Server;
  /** The session that a watching client asks for by `?taskId=`; undefined when it must name one and does not. */
  readonly sessionFor: (taskId: string | undefined, principal: Principal) => Promise<Session | undefined>;
  readonly acp: SharedAcpSurface;
  readonly guard: Guard;
  readonly gate: Gate;
  readonly leases: Leases;
  readonly log: ServerLog;
  readonly lobby: Lobby;
};

/** A client that answers no ping for this long is gone. */
const pingMs = 30_000;
/** How long a client that was told to go may take before its buffers are freed. */
const graceMs = 2000;

/** In the order in which we like them. */
const subprotocols = ['acp.v1', 'acp', 'a2a'];

/** `GET /ws`: every client of every session on one path, whatever it speaks. `GET /acp`: ACP alone. */
export function openWebSockets(options: WebSocketOptions): { close(): void } {
  const { server, sessionFor, acp, guard, gate, leases, log, lobby } = options;
  const broadcastsOf = openBroadcasts();
  // Frames are encoded once for all clients, so none may have compression of its own.
  const upgrader = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      [...subprotocols, ...offered].find((name) => offered.has(name) && !name.startsWith('token.')) ?? false,
  });
  // ACP's remote transport wants a name for every connection.
  upgrader.on('headers', (headers, { url }) => {
    if (pathOf(url) === '/acp') headers.push(`Acp-Connection-Id: ${randomUUID()}`);
  });
  const answered = new Map<WebSocket, boolean>();
  let number = 0;

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ignoreErrors = (): void => {};
    socket.on('error', ignoreErrors);
    try {
      await guard(request);
      const { principal, visitor } = admissionOf(request);
      need(principal, 'view');
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname !== '/ws' && url.pathname !== '/acp')
        throw new AppError('not-found', `there is no WebSocket at ${url.pathname}, only at /ws and /acp`);
      if (answered.size >= limits.webSockets)
        throw new AppError('too-many-clients', `${limits.webSockets} clients are connected already`);
      const after = cursorOf(url.searchParams.get('after'));
      const taskId = url.searchParams.get('taskId') ?? undefined;
      const spoken = spokenBy(url, request.headers['sec-websocket-protocol']);
      // An ACP client names its session later, and may open a new one.
      const session = spoken === 'acp' ? undefined : await sessionFor(taskId, principal);
      if (!session && spoken !== undefined && spoken !== 'acp') throw taskMissing();
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        keep(webSocket);
        const end = (): void => dismiss(webSocket, 1008, 'the token is not valid any more');
        webSocket.once('close', leases.hold(principal, visitor, end));
        const asAcp = (): Waiter => openAcpSocket({ webSocket, socket, principal, gate, surface: acp });
        if (spoken === 'acp') return seat(webSocket, asAcp());
        if (!session)
          return greet({
            webSocket,
            asAcp,
            asWatcher: () => turnAway(webSocket, taskMissing()),
            silenceMs: longSilenceMs,
          });
        const { snapshot } = session;
        const asWatcher = (): Waiter => {
          const name = clientName(url.searchParams.get('client') ?? undefined) || `client-${++number}`;
          const broadcast = broadcastsOf(session)[spoken === 'a2a' ? 'a2a' : 'endpoint'];
          const client = new SocketClient({ webSocket, socket, session, name, principal, gate, lobby, log, broadcast });
          client.watch(after, snapshot);
          return client;
        };
        if (spoken !== undefined) return seat(webSocket, asWatcher());
        return greet({ webSocket, asAcp, asWatcher, silenceMs });
      });
    } catch (thrown) {
      refuse(socket, toAppError(thrown));
    }
  }

  function keep(webSocket: WebSocket): void {
    answered.set(webSocket, true);
    webSocket.on('pong', () => answered.set(webSocket, true));
    webSocket.once('close', () => answered.delete(webSocket));
    webSocket.on('error', (error) => log.debug('socket error', { error: error.message }));
  }

  function ping(): void {
    for (const [webSocket, isAlive] of answered) {
      if (!isAlive) webSocket.terminate();
      else {
        answered.set(webSocket, false);
        webSocket.ping();
      }
    }
  }

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    void onUpgrade(request, socket, head);
  server.on('upgrade', listener);
  const pings = setInterval(ping, pingMs);
  pings.unref();
  return {
    close() {
      clearInterval(pings);
      server.off('upgrade', listener);
      for (const webSocket of answered.keys()) dismiss(webSocket, 1001, 'the endpoint was switched off');
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

/** Says goodbye to a client. What it still sends is not heard. */
function dismiss(webSocket: WebSocket, code: number, reason: string): void {
  webSocket.removeAllListeners('message');
  webSocket.close(code, reason);
  setTimeout(() => webSocket.terminate(), graceMs).unref();
}

function taskMissing(): AppError {
  return new AppError(
    'bad-request',
    'this server has many tasks: connect to /ws?taskId=<id> (GET /tasks lists them), or begin with initialize to speak ACP',
  );
}

function pathOf(url = '/'): string {
  return new URL(url, 'http://localhost').pathname;
}

function refuse(socket: Duplex, error: AppError): void {
  const { status, body } = toHttpError(error);
  const json = JSON.stringify(body);
  const headers = Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${error.code}\r\nContent-Type: application/json\r\n${headers.join('')}` +
      `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
  );
}
