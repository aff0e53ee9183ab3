import { readSync, writeSync } from 'node:fs';
import { established, type TableRow } from './connection-table.js';

/** One end of a connection, then the end it is connected to: plain IPv4 or IPv6 loopback addresses. */
export type Ends = {
  readonly address: string;
  readonly port: number;
  readonly toAddress: string;
  readonly toPort: number;
};

/** What the kernel says about this end. Undefined if it does not say: then the table decides. */
export type Lookup = (ends: Ends) => TableRow | undefined;

let opening: Promise<Lookup | undefined> | undefined;

/**
 * Asks Linux for one connection (`sock_diag(7)`), whatever else is connected: a twentieth of the time that the table takes.
 * Undefined where that is not possible. Loads 4 MB, once per process.
 */
export function openLookup(): Promise<Lookup | undefined> {
  return (opening ??= open().catch(() => undefined));
}

/** Node reads and writes such a socket like a file, but cannot open one. */
async function open(): Promise<Lookup | undefined> {
  if (process.platform !== 'linux') return undefined;
  const koffi = await import('koffi');
  const socket: unknown = koffi.load(null).func('int socket(int, int, int)')(netlink, rawNonBlocking, sockDiag);
  return typeof socket === 'number' && socket >= 0 ? (ends) => ask(socket, ends) : undefined;
}

const netlink = 16;
/** SOCK_RAW, SOCK_NONBLOCK and SOCK_CLOEXEC: nothing waits for an answer that does not come, and no tool inherits it. */
const rawNonBlocking = 3 | 0o4000 | 0o2000000;
const sockDiag = 4;

/** Where things are in the messages: a header of 16 bytes, then `inet_diag_req_v2` or `inet_diag_msg`. */
const byFamily = 20;
const requestLength = 72;
const replyLength = 88;
const requestEnds = 24;
const replyEnds = 20;
/** Two ports and two addresses of 16 bytes. */
const endsLength = 36;

let lastNumber = 0;

function ask(socket: number, ends: Ends): TableRow | undefined {
  const number = (lastNumber = (lastNumber + 1) >>> 0);
  const request = requestOf(ends, number);
  const reply = Buffer.alloc(1024);
  try {
    writeSync(socket, request);
    // The kernel has answered by the time it takes the question.
    if (readSync(socket, reply) < replyLength) return undefined;
  } catch {
    return undefined;
  }
  const { words, halves } = numbersIn(reply);
  if (halves[2] !== byFamily || words[2] !== number) return undefined;
  // If there is no such connection, the kernel may answer for whoever listens at that port.
  const asked = request.subarray(requestEnds, requestEnds + endsLength);
  if (!asked.equals(reply.subarray(replyEnds, replyEnds + endsLength))) return undefined;
  const state = reply[17] === 1 ? established : 'other';
  return { state, uid: words[20] ?? -1, inode: words[21] ?? 0 };
}

function requestOf({ address, port, toAddress, toPort }: Ends, number: number): Buffer {
  const request = Buffer.alloc(requestLength);
  const { words, halves } = numbersIn(request);
  words[0] = requestLength;
  halves[2] = byFamily;
  // NLM_F_REQUEST
  halves[3] = 1;
  words[2] = number;
  const isIPv6 = address.includes(':');
  // AF_INET6 or AF_INET, and TCP.
  request.set([isIPv6 ? 10 : 2, 6], 16);
  // In all states.
  words[5] = 0xffff_ffff;
  request.writeUInt16BE(port, requestEnds);
  request.writeUInt16BE(toPort, requestEnds + 2);
  request.set(bytesOf(address), requestEnds + 4);
  request.set(bytesOf(toAddress), requestEnds + 20);
  // INET_DIAG_NOCOOKIE
  words.fill(0xffff_ffff, 16, 18);
  return request;
}

/** Of IPv6, only loopback. */
function bytesOf(address: string): readonly number[] {
  return address === '::1' ? [...Array<number>(15).fill(0), 1] : address.split('.').map(Number);
}

/** The message as numbers in this machine's byte order, as the kernel reads and writes them. */
function numbersIn({ buffer, byteOffset, length }: Buffer): { words: Uint32Array; halves: Uint16Array } {
  return {
    words: new Uint32Array(buffer, byteOffset, Math.floor(length / 4)),
    halves: new Uint16Array(buffer, byteOffset, Math.floor(length / 2)),
  };
}
