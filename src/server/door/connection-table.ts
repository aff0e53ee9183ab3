import { closeSync, openSync, readSync } from 'node:fs';

/** One end of a connection, as the kernel reports it. */
export type TableRow = {
  readonly state: string;
  readonly uid: number;
  /** 0 if no program holds this end any more. */
  readonly inode: number;
};

export const established = '01';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The kernel returns at most this much per read. */
const page = Buffer.alloc(4096);
/**
 * The kernel spends its time not on the rows but on the empty slots between them. So the first rows of a table are read
 * in small pieces, and a search that has found its rows can stop early.
 */
const smallPiece = 600;
const smallPieces = 50;
const portLength = ':A11B'.length;

/**
 * Searches the ends connected to one of our ports for the requested ones, named by `nameOfEnds`. Yields what it has found
 * after every few rows.
 */
export function* findRows(port: number, asked: { has(name: string): boolean }): Generator<Map<string, TableRow>> {
  // A port is followed by two digits only before the state, so this matches the other end's row, not ours.
  const toUs = new RegExp(`:${hexPort(port)} [\\dA-F]{2} `, 'g');
  for (const text of texts()) {
    const found = new Map<string, TableRow>();
    for (const { index } of text.matchAll(toUs)) {
      const start = text.indexOf(':', text.lastIndexOf('\n', index)) + 2;
      const name = text.slice(start, index + portLength).replaceAll(mapped, '');
      // The tables are long on a busy machine, so only matching rows are parsed.
      if (asked.has(name)) found.set(name, toRow(text.slice(index + portLength, text.indexOf('\n', index))));
    }
    yield found;
  }
}

/** Whether this system lists connections at all: the listening port must be among them. */
export function showsListener(port: number): boolean {
  const listener = new RegExp(`:${hexPort(port)} [\\dA-F]+:0000 0A `);
  for (const text of texts()) if (listener.test(text)) return true;
  return false;
}

/** How the tables name a connection: the end in question, then the end it is connected to. For IPv6, only loopback. */
export function nameOfEnds(address: string, port: number, toAddress: string, toPort: number): string {
  return `${hexAddress(address)}:${hexPort(port)} ${hexAddress(toAddress)}:${hexPort(toPort)}`;
}

function hexAddress(address: string): string {
  return address === '::1' ? loopback6 : hexWord(address.split('.').map(Number));
}

const loopback6 = [0, 0, 0, 1].map((last) => hexWord([0, 0, 0, last])).join('');
/** Prefix of an IPv4 address on an IPv6 socket. */
const mapped = `${hexWord([0, 0, 0, 0]).repeat(2)}${hexWord([0, 0, 0xff, 0xff])}`;

/** The tables in whole lines. A table that cannot be read counts as empty, since there may be no IPv6. */
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

/** Four bytes as the kernel prints them: one number in this machine's byte order. */
function hexWord(bytes: readonly number[]): string {
  const [word = 0] = new Uint32Array(Uint8Array.from(bytes).buffer);
  return word.toString(16).toUpperCase().padStart(8, '0');
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
