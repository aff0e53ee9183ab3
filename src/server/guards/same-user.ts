import { readFile } from 'node:fs/promises';

/** The two ends of a loopback connection, as we see it. */
export type Ends = { readonly remotePort?: number | undefined; readonly localPort?: number | undefined };

/**
 * On a shared machine every user reaches 127.0.0.1. Linux tells who owns the other end of a loopback connection;
 * elsewhere this is true and `--a2a-require-token` is the way.
 */
export async function isSameUser(ends: Ends): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const owner = await ownerOf(ends);
  return owner === undefined || owner === process.getuid?.();
}

async function ownerOf({ remotePort = 0, localPort = 0 }: Ends): Promise<number | undefined> {
  const key = `${hex(remotePort)} ${hex(localPort)}`;
  return (await readOwners()).get(key);
}

type Owners = ReadonlyMap<string, number>;

let running: Promise<Owners> = Promise.resolve(new Map());
let next: Promise<Owners> | undefined;

/**
 * Reads the kernel's table of connections once for all checks that wait. A read that has already begun is not shared:
 * it may have missed a connection that was made since.
 */
function readOwners(): Promise<Owners> {
  next ??= running.then(() => {
    running = loadOwners();
    next = undefined;
    return running;
  });
  return next;
}

/** Owners by the ports of both ends, as the other end sees them; the eighth column is the user id. */
async function loadOwners(): Promise<Owners> {
  const owners = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const [, local, remote, uid] of text.matchAll(row)) owners.set(`${local} ${remote}`, Number(uid));
  }
  return owners;
}

/** Slot, local address, remote address, state, queues, timer, retransmits, user id. */
const row = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) (?:\S+ +){4}(\d+)/gm;

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
