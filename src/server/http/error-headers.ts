import type { AppError } from '../../domain/errors.js';
import { errorTable } from './error-table.js';

/** When to come back if the error does not say. */
const retryAfterS = 5;

/** What HTTP wants to be told beside the body: how to identify oneself (RFC 6750, 3), when to come back. */
export function errorHeaders({ code, details }: AppError): Record<string, string> {
  const status = errorTable[code].http;
  if (status === 401)
    return { 'WWW-Authenticate': `Bearer realm="cosession"${code === 'bad-token' ? ', error="invalid_token"' : ''}` };
  if (code === 'scope-missing')
    return {
      'WWW-Authenticate': `Bearer realm="cosession", error="insufficient_scope", scope="${String(details['scope'])}"`,
    };
  if (status === 429 || status === 503)
    return { 'Retry-After': String(Math.max(1, Number(details['retryAfter'] ?? retryAfterS))) };
  return {};
}
