import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../domain/errors.js';
import type { QuickGuard } from './guard.js';

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * A page may send `text/plain` or a form to any address without a preflight, but not JSON. It may also send an empty body.
 * That carries no content, and the origin guard has already refused the page.
 */
export const jsonOnlyGuard: QuickGuard = ({ method = 'GET', headers }) => {
  const type = headers['content-type'];
  if (['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method) || json.test(type ?? '')) return;
  if (type === undefined && !hasBody(headers)) return;
  throw new AppError('not-json', `send the body as application/json, not ${type ?? 'without a type'}`);
};

/** RFC 9112, 6.3: a request without either header has no body. */
function hasBody({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || length !== '0';
}
