import { AppError } from '../../domain/errors.js';
import type { Guard } from './guard.js';

/**
 * Browsers name the page that sends a request or opens a WebSocket. Programs send no Origin.
 * Only pages served by this endpoint may call it.
 */
export function originGuard(hosts: readonly string[]): Guard {
  const allowed = new Set(hosts.flatMap((host) => [`http://${host}`, `https://${host}`]));
  return ({ headers }) => {
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    const isOwnPage = origin === undefined || allowed.has(origin);
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
    if (isOwnPage && isOwnSite) return;
    throw new AppError('origin-not-allowed', 'requests from other web pages are refused');
  };
}
