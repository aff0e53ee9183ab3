import type { IncomingMessage } from 'node:http';
import { AppError } from '../../domain/errors.js';
import type { QuickGuard } from './guard.js';

/**
 * Browsers name the page that sends a request or opens a WebSocket. Programs send no Origin.
 * Only pages served by this endpoint may call it. With `hasPage`, a link on another site may open our own page.
 */
export function originGuard(hosts: readonly string[], hasPage: boolean): QuickGuard {
  const allowed = new Set(hosts.flatMap((host) => [`http://${host}`, `https://${host}`]));
  return (request) => {
    const { origin, host = '', 'sec-fetch-site': site } = request.headers;
    // The host guard has accepted `Host`. It may name a forwarded port, whose page has that origin.
    const isOwnPage =
      origin === undefined || allowed.has(origin) || origin === `http://${host}` || origin === `https://${host}`;
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
    if (isOwnPage && (isOwnSite || (hasPage && isVisit(request)))) return;
    throw new AppError('origin-not-allowed', 'requests from other web pages are refused');
  };
}

/**
 * Somebody follows a link, in a mail or a chat, to the page itself: a top-level document, never a frame. The page is the
 * same for everyone and the other site cannot read it. Everything it then asks for comes from our own origin.
 */
function isVisit({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    url.split('?')[0] === '/' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}
