import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { RequestHandler } from 'express';
import { AppError, toAppError } from '../domain/errors.js';
import type { SessionPort } from '../session/session-port.js';
import { openAcpSocket } from './acp/socket-connection.js';
import type { SharedAcpSurface } from './acp/surface.js';
import { clientName } from './http/caller.js';
import type { DialectName } from './endpoint/dialect.js';
import { longSilenceMs, silenceMs } from './endpoint/first-frame.js';
import { greet, seat, type Waiter } from './endpoint/greet.js';
import type { CredentialCheck } from './guards/credential-check.js';
import type { Guard } from './guards/guard.js';
import type { Rechecks } from './guards/rechecks.js';
import type { Lobby } from './endpoint/lobby.js';
import type { ServerLog } from '../domain/server-log.js';
import { SocketClient } from './endpoint/socket-client.js';
import { openBroadcasts } from './sockets/broadcasts.js';
import { readGuest, type SessionFor, type SocketGuest, taskMissing } from './sockets/guest.js';
import { dismiss, graceMs, OpenSockets } from './sockets/open-sockets.js';
import { refuseUpgrade } from './sockets/refuse-upgrade.js';
import { socketUpgrader } from './sockets/upgrader.js';
import { turnAway } from './endpoint/turn-away.js';

export type WebSocketOptions = {
  readonly server: Server;
  readonly sessionFor: SessionFor;
  readonly acp: SharedAcpSurface;
  readonly guard: Guard;
  readonly credentialCheck: CredentialCheck;
  readonly rechecks: Rechecks;
  readonly log: ServerLog;
  readonly lobby: Lobby;
  /** Whether other servers have the tasks when this one stops. */
  readonly hasHeirs: boolean;
};

export type OpenWebSockets = {
  /** Answers a plain request as it would answer an upgrade: browsers do not show why a WebSocket was refused. */
  readonly handle: RequestHandler;
  close(forGood?: string): void;
};

/** `GET /ws` serves every client of every session, in any dialect. `GET /acp` serves only ACP. */
export function openWebSockets(options: WebSocketOptions): OpenWebSockets {
  const { server, sessionFor, guard, rechecks, log } = options;
  const open = new OpenSockets(log, options.hasHeirs);
  const upgrader = socketUpgrader();
  /** Connections that wait to become WebSockets, perhaps for a store that does not answer. */
  const arriving = new Set<Duplex>();
  const welcome = host(options);
  const read = (request: IncomingMessage): Promise<SocketGuest> =>
    readGuest(request, { sessionFor, checkRoom: (principal) => open.checkRoom(principal) });

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // A client that hangs up is not a failure.
    socket.on('error', () => {});
    arriving.add(socket);
    try {
      await guard(request);
      const guest = await read(request);
      open.reserve(guest.principal, socket);
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        open.add(webSocket);
        const end = (): void => dismiss(webSocket, 1008, 'the token is no longer valid');
        webSocket.once('close', rechecks.hold(guest.principal, guest.visitor, end));
        welcome(guest, { webSocket, socket });
      });
    } catch (thrown) {
      refuseUpgrade(socket, toAppError(thrown));
    } finally {
      arriving.delete(socket);
    }
  }

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    void onUpgrade(request, socket, head);
  server.on('upgrade', listener);
  return {
    async handle(request) {
      await read(request);
      throw new AppError('upgrade-required', 'this address is for WebSockets: connect to it with one');
    },
    close(forGood) {
      server.off('upgrade', listener);
      open.close(forGood);
      for (const socket of arriving) {
        refuseUpgrade(socket, new AppError('shutting-down', 'the server is shutting down'));
        setTimeout(() => socket.destroy(), graceMs).unref();
      }
    },
  };
}

type Line = { readonly webSocket: WebSocket; readonly socket: Duplex };

/** Picks what serves each client: immediately if it named its dialect, otherwise by its first frame. */
function host({ acp, credentialCheck, log, lobby }: WebSocketOptions): (guest: SocketGuest, line: Line) => void {
  const broadcastsOf = openBroadcasts();
  let number = 0;

  const watch = (
    session: SessionPort,
    { principal, name, surface, after, wantsSnapshot }: SocketGuest,
    spoken: DialectName,
    line: Line,
  ): (() => Waiter) => {
    // The snapshot from when the client connected, however long its first frame takes.
    const { snapshot } = session;
    return () => {
      const broadcast = broadcastsOf(session)[spoken];
      const called = clientName(name) || `client-${++number}`;
      const client = new SocketClient({
        ...line,
        session,
        name: called,
        surface,
        principal,
        credentialCheck,
        lobby,
        log,
        broadcast,
      });
      client.watch(after, wantsSnapshot ? snapshot : undefined);
      return client;
    };
  };

  return (guest, line) => {
    const { webSocket } = line;
    const { session, spoken, principal } = guest;
    const asAcp = (): Waiter => openAcpSocket({ ...line, principal, credentialCheck, surface: acp });
    if (spoken === 'acp') return seat(webSocket, asAcp());
    if (!session) {
      const asWatcher = (): Waiter => turnAway(webSocket, taskMissing());
      return greet({ webSocket, asAcp, asWatcher, silenceMs: longSilenceMs });
    }
    const asWatcher = watch(session, guest, spoken ?? 'endpoint', line);
    return spoken === undefined ? greet({ webSocket, asAcp, asWatcher, silenceMs }) : seat(webSocket, asWatcher());
  };
}
