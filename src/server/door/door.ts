import { createServer, type Server, type Socket } from 'node:net';
import type { ClientCertificate } from '../../auth/client-certificate.js';
import { listen } from '../../util/net/listen.js';
import { groupOf, type Principal } from '../../auth/principal.js';
import { limits } from '../http/limits.js';
import { Places } from '../http/places.js';
import { showsListener } from './connection-table.js';
import { PeerCheck } from './peer-check.js';
import { Strangers } from './strangers.js';
import { certificateOf } from './peer-certificate.js';
import { type TlsEntrance, tlsEntrance, type TlsProtocol } from './tls-entrance.js';
import type { TlsIdentity } from '../tls/tls-identity.js';

/** What we know about the other end of a connection. Fixed until it closes. */
export type Peer = {
  /** Decided before anything is read from the connection. */
  readonly isSameUser: boolean;
  /** Shown during the TLS handshake, and signed by an authority that we trust. */
  readonly certificate?: ClientCertificate;
  /** Call when it has shown valid credentials. It then counts as that caller's. Throws if the caller has too many. */
  trust(principal: Principal): void;
};

type Enter = (socket: Socket) => void;

export type Door = {
  readonly port: number;
  /** Whether this system shows which user a connection belongs to. */
  readonly knowsUsers: boolean;
  /** Connections wait unread until this is called. */
  open(enter: Enter): void;
  /** Resolves when the last connection has ended. */
  close(): Promise<void>;
};

const peers = new WeakMap<object, Peer>();

/** The peer of a socket that a door accepted. */
export function peerOf(socket: object): Peer {
  const peer = peers.get(socket);
  // Never happens, because every socket comes through a door. If it did, an unknown peer must not pass as a known one.
  if (!peer) throw new Error('the connection has not come through the door');
  return peer;
}

export type DoorOptions = {
  readonly port: number;
  readonly host: string;
  /** Encrypts every connection. */
  readonly tls?: TlsIdentity | undefined;
  readonly protocol: TlsProtocol;
};

/** Accepts connections for every transport. Rejects with Node's error if the port is not available. */
export async function openDoor({ port, host, tls, protocol }: DoorOptions): Promise<Door> {
  // As Node's own https server: an encrypted connection that was ended by one side is over, also during the handshake.
  const server = createServer({ allowHalfOpen: tls === undefined, noDelay: true, pauseOnConnect: true });
  server.maxConnections = limits.connections + limits.arrivals;
  const actual = await listen(server, port, host, limits.arrivals);
  const check = new PeerCheck({ port: actual });
  const strangers = new Strangers();
  const places = new Places({ limit: limits.connections, what: 'connections' });
  const outside = new Set<Socket>();
  let inside = 0;
  let letIn: (enter: Enter) => void = () => {};
  const opened = new Promise<Enter>((resolve) => (letIn = resolve));
  let entrance: TlsEntrance | undefined;

  async function onConnection(socket: Socket): Promise<void> {
    outside.add(socket);
    socket.once('close', () => outside.delete(socket));
    // Nothing else listens for errors on this socket yet.
    socket.on('error', ignore);
    const user = await check.userOf(socket);
    if (user === 'gone') return void socket.destroy();
    const isSameUser = user === 'ours';
    const leaveStrangers = isSameUser ? ignore : strangers.add(socket);
    peers.set(socket, { isSameUser, trust: trustIn(places, socket, leaveStrangers) });
    const enter = await opened;
    outside.delete(socket);
    if (socket.destroyed) return;
    if (inside >= limits.connections) return void socket.destroy();
    inside++;
    socket.once('close', () => inside--);
    socket.off('error', ignore);
    enter(socket);
    socket.resume();
  }

  server.on('connection', (socket) => void onConnection(socket));
  return {
    port: actual,
    knowsUsers: showsListener(actual),
    open(enter) {
      if (!tls) return letIn(enter);
      const secured = tlsEntrance(tls, protocol, (socket, raw) => {
        peers.set(socket, { ...peerOf(raw), ...certificateOf(socket) });
        enter(socket);
      });
      entrance = secured;
      return letIn((socket) => secured.enter(socket));
    },
    close() {
      entrance?.close();
      for (const socket of outside) socket.destroy();
      return closeOf(server);
    },
  };
}

/** A connection counts as the last caller's that used it, because a proxy sends requests of many over one. */
function trustIn(places: Places, socket: Socket, leaveStrangers: () => void): Peer['trust'] {
  let held: { readonly group: string; readonly leave: () => void } | undefined;
  socket.once('close', () => held?.leave());
  return (principal) => {
    const group = groupOf(principal);
    if (held?.group === group || socket.destroyed) return;
    const leave = places.take(principal);
    held?.leave();
    held = { group, leave };
    leaveStrangers();
  };
}

function ignore(): void {}

function closeOf(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
