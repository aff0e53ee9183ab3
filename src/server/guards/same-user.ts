import { open } from 'node:fs/promises';

/** The two ends of a loopback connection, as we see it. */
export type Ends = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/**
 * On a shared machine every user reaches 127.0.0.1. Linux tells who owns the other end of a loopback connection;
 * elsewhere this is true and `--a2a-require-token` is the way.
 */
export async function isSameUser(ends: Ends): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const owner = await ownerOf(ends);
  return owner === undefined || owner === process.getuid?.();
}

async function ownerOf({ remoteAddress = '', remotePort = 0, localPort = 0 }: Ends): Promise<number | undefined> {
  const key = `${hexAddress(remoteAddress)}:${hexPort(remotePort)} ${hexPort(localPort)}`;
  wanted.add(key);
  return (await findOwners()).get(key);
}

type Owners = ReadonlyMap<string, number>;

let wanted = new Set<string>();
let running: Promise<Owners> = Promise.resolve(new Map());
let next: Promise<Owners> | undefined;

/**
 * Reads the kernel's table of connections once for all checks that wait. A read that has already begun is not shared:
 * it may have missed a connection that was made since.
 */
function findOwners(): Promise<Owners> {
  next ??= running.then(() => {
    running = ownersOf(wanted);
    wanted = new Set();
    next = undefined;
    return running;
  });
  return next;
}

/**
 * Owners by the other end's address and port, and our port. The address counts: two users may have the same port, one at
 * 127.0.0.1 and one at 127.0.0.2. On a busy machine the tables are long: reads no more of them than it must.
 */
async function ownersOf(keys: ReadonlySet<string>): Promise<Owners> {
  const owners = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for await (const lines of linesOf(table)) {
      for (const [, address, remotePort, localPort, uid] of lines.matchAll(row)) {
        const key = `${address}:${remotePort} ${localPort}`;
        if (keys.has(key)) owners.set(key, Number(uid));
      }
      if (owners.size === keys.size) return owners;
    }
  }
  return owners;
}

/** The table, piece by piece, in whole lines. */
async function* linesOf(table: string): AsyncGenerator<string> {
  const file = await open(table).catch(() => undefined);
  let rest = '';
  // The stream closes the file, also when nobody wants the rest.
  for await (const data of file?.createReadStream({ encoding: 'latin1' }) ?? []) {
    const text = rest + String(data);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield text.slice(0, end);
  }
}

/** Slot, the other end's address (of IPv6 the last four bytes) and port, ours, state, queues, timer, retransmits, user id. */
const row = /^ *\d+: [\dA-F]*([\dA-F]{8}):([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) (?:\S+ +){4}(\d+)/gm;

/** As the kernel writes the last four bytes of an address on a little-endian machine. */
function hexAddress(address: string): string {
  const bytes = (/[\d.]+$/.exec(address)?.[0] ?? '').split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes.length === 4 ? bytes : [0, 0, 0, ...bytes];
  return [d, c, b, a].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
