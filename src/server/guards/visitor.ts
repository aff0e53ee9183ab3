import type { IncomingMessage } from 'node:http';
import { peerOf } from '../door/door.js';
import { type AddressOf, isLoopback } from '../door/address.js';
import type { Visitor } from './credential-check.js';
import { deviceOf } from './device-cookie.js';
import { isForwarded } from './forwarded.js';
import { isProxied } from './proxied.js';
import { tokenIn } from './token.js';
import { defined } from '../../util/defined.js';

export function httpVisitor(request: IncomingMessage, addressOf: AddressOf): Visitor {
  const { headers, socket } = request;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const token = tokenIn(request);
  const device = token === undefined ? deviceOf(request) : undefined;
  const { isSameUser, certificate } = peerOf(socket);
  const isOurs = isDirect(socket.remoteAddress, Object.keys(headers)) && isSameUser;
  const cameForwarded = isForwarded(headers.host, socket.localPort);
  return {
    ...defined({ token, device, certificate }),
    header,
    address: addressOf(socket.remoteAddress ?? '', header('x-forwarded-for')),
    isSameUser: isOurs && !cameForwarded,
    isForwarded: isOurs && cameForwarded,
  };
}

/** Whether the request comes from this machine and not through a proxy on it. */
export function isDirect(peer: string | undefined, headerNames: Iterable<string>): boolean {
  return isLoopback(peer ?? '') && !isProxied(headerNames);
}
