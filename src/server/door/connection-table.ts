import { closeSync, openSync, readSync } from 'node:fs';

/** One end of a connection, in the kernel's words. */
export type TableRow = {
  readonly state: string;
  readonly uid: number;
  /** 0: no program holds this end any more. */
  readonly inode: number;
};

export const established = '01';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The kernel hands out no more at a time. */
const page = Buffer.alloc(4096);
/**
 * What takes the kernel long is not the rows but the empty places between them. So the first rows of a table are asked for
 * in small pieces: who has found what they look for can stop there.
 */
const smallPiece = 600;
const smallPieces = 50;
const portLength = ':A11B'.length;

/**
 * Looks among the ends that are connected to one of our ports for those that are asked for, by `nameOfEnds`. Stops after
 * every few rows, and says what it has found.
 */
export function* findRows(port: number, asked: { has(name: string): boolean }): Generator<Map<string, TableRow>> {
  // Only before the state is a port followed by two digits: this is the other end's row, not ours.
  const toUs = new RegExp(`:${hexPort(port)} [\\dA-F]{2} `, 'g');
  for (const text of texts()) {
    const found = new Map<string, TableRow>();
    for (const { index } of text.matchAll(toUs)) {
      const start = text.indexOf(':', text.lastIndexOf('\n', index)) + 2;
      const name = text.slice(start, index + portLength).replaceAll(mapped, '');
      // On a busy machine the tables are long: only rows that matter are taken apart.
      if (asked.has(name)) found.set(name, toRow(text.slice(index + portLength, text.indexOf('\n', index))));
    }
    yield found;
  }
}

/** Whether this system shows connections at all: a port that somebody listens on must be among them. */
export function showsListener(port: number): boolean {
  const listener = new RegExp(`:${hexPort(port)} [\\dA-F]+:0000 0A `);
  for (const text of texts()) if (listener.test(text)) return true;
  return false;
}

/** How the tables name a connection: the end that is meant, and the one it is connected to. Of IPv6 only loopback is known. */
export function nameOfEnds(address: string, port: number, toAddress: string, toPort: number): string {
  return `${hexAddress(address)}:${hexPort(port)} ${hexAddress(toAddress)}:${hexPort(toPort)}`;
}

function hexAddress(address: string): string {
  return address === '::1' ? loopback6 : hexWord(address.split('.').map(Number));
}

const loopback6 = [0, 0, 0, 1].map((last) => hexWord([0, 0, 0, last])).join('');
/** Before an IPv4 address where a program uses an IPv6 socket for it. */
const mapped = `${hexWord([0, 0, 0, 0]).repeat(2)}${hexWord([0, 0, 0xff, 0xff])}`;

/** The tables in whole lines; one that cannot be read (there may be no IPv6) is an empty one. */
function* texts(): Generator<string> {
  for (const table of tables) {
    try {
      yield* textsOf(openSync(table, 'r'));
    } catch {
      continue;
    }
  }
}

function* textsOf(file: number): Generator<string> {
  try {
    let rest = '';
    for (let piece = 0; ; piece++) {
      const length = readSync(file, page, 0, piece < smallPieces ? smallPiece : page.length, null);
      if (length === 0) return;
      const text = rest + page.toString('latin1', 0, length);
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      yield text.slice(0, end);
    }
  } finally {
    closeSync(file);
  }
}

/** After the two ends: state, queues, timer, retransmits, user id, timeout, inode. */
function toRow(rest: string): TableRow {
  const [state = '', , , , uid, , inode] = rest.trim().split(/ +/);
  return { state, uid: Number(uid), inode: Number(inode) };
}

/** Four bytes as the kernel prints them: as one number of this machine, whatever its byte order. */
function hexWord(bytes: readonly number[]): string {
  const [word = 0] = new Uint32Array(Uint8Array.from(bytes).buffer);
  return word.toString(16).toUpperCase().padStart(8, '0');
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
