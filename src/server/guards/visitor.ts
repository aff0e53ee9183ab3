import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressOf, isLoopback } from './address.js';
import type { Visitor } from './gate.js';
import { isProxied } from './proxied.js';
import { isSameUser } from './same-user.js';
import { tokenOf } from './token.js';

/** Asking the kernel takes milliseconds, and the answer holds as long as the connection. */
const verdicts = new WeakMap<Socket, Promise<boolean>>();

export function httpVisitor(request: IncomingMessage, addressOf: AddressOf): Visitor {
  const { headers, socket } = request;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const token = tokenOf(request);
  return {
    ...(token === undefined ? {} : { token }),
    header,
    address: addressOf(socket.remoteAddress ?? '', header('x-forwarded-for')),
    async isSameUser() {
      if (!isDirect(socket.remoteAddress, Object.keys(headers))) return false;
      const verdict = verdicts.get(socket) ?? isSameUser(socket);
      verdicts.set(socket, verdict);
      return verdict;
    },
  };
}

/** From this machine, and not passed on by a proxy on it. */
export function isDirect(peer: string | undefined, headerNames: Iterable<string>): boolean {
  return isLoopback(peer ?? '') && !isProxied(headerNames);
}
