import type { IncomingMessage } from 'node:http';

/**
 * Cookies know no port, so each endpoint of a host has its own name. It is the port that the browser knows: behind a balancer,
 * several servers are one endpoint. Browsers accept the prefixed names only over https and
 * from the host itself, and `__Host-` only for the whole host.
 */
const prefixes = ['__Host-', '__Secure-', ''] as const;

/** What a paired browser sends: the cookie and the page key. Undefined without either, or if it sends a token. */
export function deviceOf(request: IncomingMessage): string | undefined {
  const { headers } = request;
  if (headers.authorization !== undefined) return undefined;
  const names = prefixes.map((prefix) => `${prefix}${nameOf(request)}=`);
  const cookies = (headers.cookie ?? '').split(/;\s*/);
  const cookie = names.flatMap((name) => cookies.filter((text) => text.startsWith(name)).map(valueOf))[0];
  const key = pageKeyOf(headers);
  return cookie === undefined || key === undefined ? undefined : `${cookie}.${key}`;
}

export type CookieOptions = {
  /** The path of the page. */
  readonly path: string;
  readonly isSecure: boolean;
  readonly expiresAt: Date;
};

/** `Set-Cookie` for a browser that was just paired. It lasts exactly as long as the pairing. */
export function deviceCookie(
  request: IncomingMessage,
  value: string,
  { path, isSecure, expiresAt }: CookieOptions,
): string {
  const prefix = !isSecure ? '' : path === '/' ? '__Host-' : '__Secure-';
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  const rules = `HttpOnly; SameSite=Strict; Path=${path}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  return `${prefix}${nameOf(request)}=${value}; ${rules}`;
}

function nameOf({ headers, socket }: IncomingMessage): string {
  const [, port = socket.localPort] = /:(\d+)$/.exec(headers.host ?? '') ?? [];
  return `cosession-${port}`;
}

function valueOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}

/** Browsers cannot set headers on a WebSocket, so there it is a subprotocol. */
function pageKeyOf(headers: IncomingMessage['headers']): string | undefined {
  const key = headers['x-cosession-page'];
  if (typeof key === 'string') return key;
  if (headers.upgrade === undefined) return undefined;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
  return offered.find((name) => name.startsWith('page.'))?.slice('page.'.length);
}
