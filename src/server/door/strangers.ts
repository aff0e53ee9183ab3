import type { Socket } from 'node:net';
import { addressKey, isLoopback, plainAddress } from '../guards/address.js';
import { limits, patienceMs } from '../limits.js';

/**
 * Connections that have not shown yet who they belong to. There is room for few, and not for long; one that is too many
 * pushes the oldest out, so that those who say at once who they are come in, however many others just hold the line.
 */
export class Strangers {
  readonly #all = new Set<Socket>();
  readonly #byAddress = new Map<string, Set<Socket>>();

  /** Returns what to call once the stranger is known. */
  add(socket: Socket): () => void {
    const key = placeOf(plainAddress(socket.remoteAddress ?? ''));
    const neighbours = this.#byAddress.get(key) ?? new Set();
    if (neighbours.size >= limits.strangersOfAddress) dropOldest(neighbours);
    else if (this.#all.size >= limits.strangers) dropOldest(this.#all);
    this.#byAddress.set(key, neighbours.add(socket));
    this.#all.add(socket);
    const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
    const leave = (): void => {
      clearTimeout(timer);
      this.#all.delete(socket);
      neighbours.delete(socket);
      if (neighbours.size === 0 && this.#byAddress.get(key) === neighbours) this.#byAddress.delete(key);
    };
    socket.once('close', leave);
    return leave;
  }
}

/** A user of this machine has all addresses of loopback. */
function placeOf(address: string): string {
  return isLoopback(address) ? 'localhost' : addressKey(address);
}

function dropOldest(sockets: ReadonlySet<Socket>): void {
  const [oldest] = sockets;
  oldest?.destroy();
}
