import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isLoopback, plainAddress } from './address.js';
import { type Lookup, openLookup } from './connection-lookup.js';
import { established, findRows, nameOfEnds, type TableRow } from './connection-table.js';

/** Who owns the other end of a connection. `gone` means nobody any more. */
type PeerUser = 'ours' | 'another' | 'gone';

type Question = { readonly socket: Socket; readonly answer: (user: PeerUser) => void };
type Questions = Map<string, Question>;

/** A row can be missed if the table changes while it is read, so a failed search is repeated once. */
const tries = 2;
/** How long reading the tables may block other work. */
const sliceMs = 1;
/** A server that gets no more connections than this does without the 4 MB that looking them up takes. */
const fewConnections = 50;

export type PeerCheckOptions = {
  /** The one we listen on. */
  readonly port: number;
  readonly open?: typeof openLookup;
};

/**
 * On a shared machine every user can reach 127.0.0.1. Linux shows who owns the other end of a loopback connection while a
 * program holds it. So we check before reading anything from the connection, and refuse if there is no result.
 */
export class PeerCheck {
  readonly #port: number;
  readonly #open: typeof openLookup;
  /** How many connections were found in the tables. */
  #found = 0;
  /** Set once there were more than a few, where the system allows it. */
  #lookUp: Lookup = () => undefined;
  #waiting: Questions = new Map();
  #isReading = false;

  constructor({ port, open = openLookup }: PeerCheckOptions) {
    this.#port = port;
    this.#open = open;
  }

  async userOf(socket: Socket): Promise<PeerUser> {
    const { remoteAddress, remotePort = 0, localAddress = '', localPort = 0 } = socket;
    if (remoteAddress === undefined) return 'gone';
    const [address, toAddress] = [plainAddress(remoteAddress), plainAddress(localAddress)];
    if (!isLoopback(address)) return 'another';
    const row = this.#lookUp({ address, port: remotePort, toAddress, toPort: localPort });
    if (row) return isAlive(socket) ? userOf(row) : 'gone';
    return new Promise((answer) => {
      const key = nameOfEnds(address, remotePort, toAddress, localPort);
      // Two connections cannot have the same ends at once, so the first one is over.
      this.#waiting.get(key)?.answer('gone');
      this.#waiting.set(key, { socket, answer });
      if (!this.#isReading) void this.#read();
    });
  }

  /** Reads the tables once for all waiting sockets. Later connections need a new read, as this one may have missed them. */
  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      await setImmediate();
      const began = performance.now();
      const asked = this.#waiting;
      this.#waiting = new Map();
      for (let left = tries; left > 0 && asked.size > 0; left--) await this.#find(asked);
      for (const { socket, answer } of asked.values()) answer(isAlive(socket) ? 'another' : 'gone');
      // However many clients connect, at most half of the time goes to the tables.
      if (this.#waiting.size > 0) await setTimeout(performance.now() - began);
    }
    this.#isReading = false;
  }

  async #openLookup(): Promise<void> {
    const lookUp = await this.#open();
    if (lookUp) this.#lookUp = lookUp;
  }

  async #find(asked: Questions): Promise<void> {
    let began = performance.now();
    for (const rows of findRows(this.#port, asked)) {
      for (const [key, row] of rows) {
        const question = asked.get(key);
        asked.delete(key);
        if (++this.#found === fewConnections) void this.#openLookup();
        question?.answer(isAlive(question.socket) ? userOf(row) : 'gone');
      }
      if (asked.size === 0) return;
      if (performance.now() - began < sliceMs) continue;
      await setImmediate();
      began = performance.now();
    }
  }
}

/** Rows of ends that nobody holds, or that are closing, may name the wrong user. */
function userOf({ state, uid, inode }: TableRow): PeerUser {
  if (inode === 0) return 'gone';
  return state === established && uid === process.getuid?.() ? 'ours' : 'another';
}

/**
 * Asks the kernel, because Node's answer is cached. While this end is connected, nobody else can have the other end. So
 * what the table said until now was about this connection, not about a later one with the same ports.
 */
function isAlive(socket: Socket): boolean {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  if (typeof handle !== 'object' || handle === null || !('getpeername' in handle)) return false;
  const { getpeername } = handle;
  return typeof getpeername === 'function' && Reflect.apply(getpeername, handle, [{}]) === 0;
}
