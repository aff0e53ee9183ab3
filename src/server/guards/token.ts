import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Browsers cannot set headers on a WebSocket, so it may carry the token as a subprotocol or in the URL. */
export function tokenIn({ headers, url = '' }: IncomingMessage): string | undefined {
  const bearer = bearerOf(headers.authorization);
  if (bearer !== undefined || headers.upgrade === undefined) return bearer;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
  const inProtocol = offered.find((name) => name.startsWith('token.'))?.slice('token.'.length);
  return inProtocol ?? new URLSearchParams(url.split('?')[1]).get('token') ?? undefined;
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Compares in constant time. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
