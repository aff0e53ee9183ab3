import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Origin } from '../../domain/events.js';
import { principalOf } from '../guards/admission.js';
import { originOf } from '../http/caller.js';

/** Only browsers send an Origin, and the guards let only pages of this server through. */
export function surfaceOf({ headers }: IncomingMessage): 'web' | 'a2a' {
  return headers.origin === undefined ? 'a2a' : 'web';
}

/** Who sends a request on one of our own routes. A page may name itself with `?client=`; its user agent names only a browser. */
export function requestOrigin(request: Request): Origin {
  const surface = surfaceOf(request);
  const { client } = request.query;
  const agent = surface === 'web' ? undefined : request.get('user-agent');
  return originOf(typeof client === 'string' ? client : agent, principalOf(request), surface);
}
