import { createServer, type Server, type Socket } from 'node:net';
import { listen } from '../../util/listen.js';
import { limits } from '../http/limits.js';
import { showsListener } from './connection-table.js';
import { PeerCheck } from './peer-check.js';
import { Strangers } from './strangers.js';

/** What we know about the other end of a connection. Decided before anything is read from it, and fixed until it closes. */
export type Peer = {
  readonly isSameUser: boolean;
  /** Call once it has shown valid credentials. Frees its place among the strangers. */
  trust(): void;
};

export type Door = {
  readonly port: number;
  /** Whether this system shows which user a connection belongs to. */
  readonly knowsUsers: boolean;
  /** Connections wait unread until this is called. */
  open(enter: (socket: Socket) => void): void;
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

/** Accepts connections for every transport. Rejects with Node's error if the port is not available. */
export async function openDoor(port: number, host: string): Promise<Door> {
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  server.maxConnections = limits.connections + limits.arrivals;
  const actual = await listen(server, port, host, limits.arrivals);
  const check = new PeerCheck(actual);
  const strangers = new Strangers();
  const outside = new Set<Socket>();
  let inside = 0;
  let open: Door['open'] = () => {};
  const opened = new Promise<Parameters<Door['open']>[0]>((resolve) => (open = resolve));

  async function onConnection(socket: Socket): Promise<void> {
    outside.add(socket);
    socket.once('close', () => outside.delete(socket));
    // Nothing else listens for errors on this socket yet.
    socket.on('error', ignore);
    const user = await check.userOf(socket);
    if (user === 'gone') return void socket.destroy();
    const isSameUser = user === 'ours';
    peers.set(socket, { isSameUser, trust: isSameUser ? ignore : strangers.add(socket) });
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
    open,
    close() {
      for (const socket of outside) socket.destroy();
      return closeOf(server);
    },
  };
}

function ignore(): void {}

function closeOf(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
