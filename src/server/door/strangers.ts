import type { Socket } from 'node:net';
import { addressKey, isLoopback, plainAddress } from './address.js';
import { limits, patienceMs } from '../http/limits.js';

/**
 * Connections that have not identified themselves yet. Few are allowed, and only briefly. One too many drops the oldest, so
 * clients that identify themselves immediately get in, however many others keep idle connections open.
 */
export class Strangers {
  /** Oldest first, each with its address. */
  readonly #waiting = new Map<Socket, string>();

  /** Returns a function to call once the stranger is identified. */
  add(socket: Socket): () => void {
    const address = keyOf(plainAddress(socket.remoteAddress ?? ''));
    const all = [...this.#waiting.keys()];
    const neighbours = all.filter((other) => this.#waiting.get(other) === address);
    if (neighbours.length >= limits.strangersOfAddress) this.#drop(neighbours[0]);
    else if (all.length >= limits.strangers) this.#drop(all[0]);
    this.#waiting.set(socket, address);
    const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
    const leave = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
    };
    socket.once('close', leave);
    return leave;
  }

  #drop(socket: Socket | undefined): void {
    if (!socket) return;
    // Its close event comes later, but its place is free now.
    this.#waiting.delete(socket);
    socket.destroy();
  }
}

/** A user of this machine can use all loopback addresses. */
function keyOf(address: string): string {
  return isLoopback(address) ? 'localhost' : addressKey(address);
}
