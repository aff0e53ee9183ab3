import type { IncomingMessage } from 'node:http';
import { peerOf } from '../door/door.js';
import { type AddressOf, isLoopback } from './address.js';
import type { Visitor } from './gate.js';
import { tokenOf } from './token.js';

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
    isSameUser: isDirect(socket.remoteAddress, header) && peerOf(socket).isSameUser,
  };
}

/** What a proxy on this machine passes on comes from anywhere, although the connection is our own user's. */
export function isDirect(peer: string | undefined, header: Visitor['header']): boolean {
  const isForwarded = header('x-forwarded-for') !== undefined || header('forwarded') !== undefined;
  return isLoopback(peer ?? '') && !isForwarded;
}
