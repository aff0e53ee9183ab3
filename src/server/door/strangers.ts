import type { Socket } from 'node:net';
import { addressKey, isLoopback, plainAddress } from './address.js';
import { limits, patienceMs } from '../http/limits.js';

/**
 * Connections that have not shown yet who they belong to. There is room for few, and not for long; one that is too many
 * pushes the oldest out, so that those who say at once who they are come in, however many others just hold the line.
 */
export class Strangers {
  /** Oldest first, each with its address. */
  readonly #waiting = new Map<Socket, string>();

  /** Returns what to call once the stranger is known. */
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
    // It says only later that it is closed; its place is free now.
    this.#waiting.delete(socket);
    socket.destroy();
  }
}

/** A user of this machine has all addresses of loopback. */
function keyOf(address: string): string {
  return isLoopback(address) ? 'localhost' : addressKey(address);
}
