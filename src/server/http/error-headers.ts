import type { AppError } from '../../domain/errors.js';
import { errorTable } from './error-table.js';

/** The default for `Retry-After` if the error has none. */
const retryAfterS = 5;

/** The headers HTTP requires besides the body: how to authenticate (RFC 6750, 3) and when to retry. */
export function errorHeaders({ code, details }: AppError): Record<string, string> {
  const status = errorTable[code].http;
  if (status === 401)
    return { 'WWW-Authenticate': `Bearer realm="cosession"${code === 'bad-token' ? ', error="invalid_token"' : ''}` };
  if (code === 'scope-missing')
    return {
      'WWW-Authenticate': `Bearer realm="cosession", error="insufficient_scope", scope="${String(details['scope'])}"`,
    };
  if (status === 426) return { Upgrade: 'websocket' };
  if (status === 429 || status === 503)
    return { 'Retry-After': String(Math.max(1, Number(details['retryAfter'] ?? retryAfterS))) };
  return {};
}
