import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { AppError } from '../../domain/errors.js';
import type { Guard } from './guard.js';

/**
 * On a shared machine every user reaches 127.0.0.1. Linux tells who owns the other end of a
 * loopback connection; elsewhere this passes and `--a2a-require-token` is the way.
 */
export function sameUserGuard(): Guard {
  const verdicts = new WeakMap<Socket, Promise<boolean>>();
  return async ({ socket }) => {
    if (process.platform !== 'linux') return;
    const verdict = verdicts.get(socket) ?? isSameUser(socket);
    verdicts.set(socket, verdict);
    if (!(await verdict)) throw new AppError('other-user', 'this session belongs to another user; send its token');
  };
}

/** The two ends of a loopback connection, as we see it. */
export type Ends = { readonly remotePort?: number | undefined; readonly localPort?: number | undefined };

export async function isSameUser(ends: Ends): Promise<boolean> {
  const owner = await ownerOf(ends);
  return owner === undefined || owner === process.getuid?.();
}

/** Finds the connection in the kernel's table as its other end sees it; the eighth column is the user id. */
async function ownerOf({ remotePort = 0, localPort = 0 }: Ends): Promise<number | undefined> {
  const [local, remote] = [hex(remotePort), hex(localPort)];
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'latin1').catch(() => '')).split('\n');
    const line = lines
      .map((text) => text.trim().split(/\s+/))
      .find((c) => c[1]?.endsWith(local) && c[2]?.endsWith(remote));
    if (line?.[7] !== undefined) return Number(line[7]);
  }
  return undefined;
}

function hex(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
