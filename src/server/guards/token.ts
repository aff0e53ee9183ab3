import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../domain/errors.js';
import type { Guard } from './guard.js';
import { isPublic } from './public-path.js';

export type TokenGuardOptions = {
  readonly token: string;
  /** Without it a request that brings no token passes on to `otherwise`. */
  readonly isRequired: boolean;
  readonly otherwise: Guard;
};

/** A wrong token is always refused; the right one needs no further check. */
export function tokenGuard({ token, isRequired, otherwise }: TokenGuardOptions): Guard {
  return async (request) => {
    const given = tokenOf(request);
    if (given !== undefined) {
      if (isSameToken(given, token)) return;
      throw new AppError('bad-token', 'the token is not the one of this session; `cosession ls --json` shows it');
    }
    if (isRequired && isPublic(request)) return;
    if (isRequired) throw new AppError('token-required', 'send the token of this session as "Authorization: Bearer …"');
    await otherwise(request);
  };
}

/** Browsers cannot set headers on a WebSocket, so there the token may stand in the subprotocol list. */
function tokenOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
  return bearerOf(headers.authorization) ?? offered.find((name) => name.startsWith('token.'))?.slice('token.'.length);
}

/** The token of an `Authorization` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
}

/** Takes the same time whatever is given. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
