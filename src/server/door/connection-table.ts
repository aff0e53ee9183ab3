import { closeSync, openSync, readSync } from 'node:fs';

/** One end of a connection, in the kernel's words. */
export type TableRow = {
  /** Address and port, both in hexadecimal: `0100007F:A11B`. */
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly uid: number;
  /** 0: no program holds this end any more. */
  readonly inode: number;
};

export const established = '01';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The kernel hands out a page at a time; so many pages take it about a millisecond. */
const pagesAtOnce = 32;
const page = Buffer.alloc(4096);

/** The ends that are connected to one of our ports, in lists that each took about a millisecond to read. */
export function* rowsTo(port: number): Generator<TableRow[]> {
  // Only before the state is a port followed by two digits: this is the other end's row, not ours.
  for (const text of texts()) yield rowsWith(text, new RegExp(`:${hexPort(port)} [\\dA-F]{2} `, 'g'));
}

/** Whether this system shows connections at all: a port that somebody listens on must be among them. */
export function showsListener(port: number): boolean {
  const listener = new RegExp(`:${hexPort(port)} [\\dA-F]+:0000 0A `);
  for (const text of texts()) if (listener.test(text)) return true;
  return false;
}

/** An end as the tables name it; of IPv6 only loopback is known. */
export function hexEnd(address: string, port: number): string {
  const words = address === '::1' ? loopback6 : hexWord(address.split('.').map(Number));
  return `${words}:${hexPort(port)}`;
}

const loopback6 = [0, 0, 0, 1].map((last) => hexWord([0, 0, 0, last])).join('');
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
    for (let isMore = true; isMore;) {
      let text = rest;
      for (let pages = 0; pages < pagesAtOnce && isMore; pages++) {
        const length = readSync(file, page, 0, page.length, null);
        text += page.toString('latin1', 0, length);
        isMore = length > 0;
      }
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      yield text.slice(0, end);
    }
  } finally {
    closeSync(file);
  }
}

/** On a busy machine the tables are long: only lines that may matter are taken apart. */
function rowsWith(text: string, pattern: RegExp): TableRow[] {
  return Array.from(text.matchAll(pattern), ({ index }) => {
    const start = text.lastIndexOf('\n', index) + 1;
    return toRow(text.slice(start, text.indexOf('\n', index)));
  });
}

/** Slot, our end, the other end, state, queues, timer, retransmits, user id, timeout, inode. */
function toRow(line: string): TableRow {
  const [, local = '', remote = '', state = '', , , , uid, , inode] = line.trim().split(/\s+/);
  return { local: plain(local), remote: plain(remote), state, uid: Number(uid), inode: Number(inode) };
}

/** A program may use an IPv6 socket for an IPv4 connection. */
function plain(end: string): string {
  return end.startsWith(mapped) ? end.slice(mapped.length) : end;
}

/** Four bytes as the kernel prints them: as one number of this machine, whatever its byte order. */
function hexWord(bytes: readonly number[]): string {
  const [word = 0] = new Uint32Array(Uint8Array.from(bytes).buffer);
  return word.toString(16).toUpperCase().padStart(8, '0');
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
