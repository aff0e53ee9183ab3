import { CosessionError } from './cosession-error.js';
import type { Fetch } from './fetch.js';
import type { WebSocketClass } from './web-socket.js';

/** Where a session is, and how this client identifies itself. */
export type Endpoint = {
  /** The address of the WebSocket, with the task in its query if there is one. */
  readonly url: URL;
  readonly WebSocket: WebSocketClass;
  readonly fetch: Fetch;
  readonly token?: string;
  /** The half of a browser's credentials that is not in its cookie. */
  readonly pageKey?: string;
  readonly client?: string;
};

type Address = { readonly url?: string; readonly port?: number; readonly taskId?: string };

/** The WebSocket address of an endpoint, from any form in which people write its address. */
export function socketUrl({ url, port, taskId }: Address): URL {
  if (url === undefined && port === undefined) throw new CosessionError('bad-request', 'connect needs a url or a port');
  const given = url ?? `http://127.0.0.1:${port}/`;
  const parsed = parse(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
  if (!parsed) throw new CosessionError('bad-request', `"${given}" is not the address of an endpoint`);
  if (!parsed.pathname.endsWith('/ws')) parsed.pathname = `${parsed.pathname.replace(/\/$/, '')}/ws`;
  const task = taskId ?? parsed.searchParams.get('taskId');
  parsed.search = '';
  if (task !== null) parsed.searchParams.set('taskId', task);
  return parsed;
}

/**
 * The same address for a plain HTTP request, or another one of the same endpoint. `path` is relative, since a proxy may serve
 * the endpoint below a path.
 */
export function httpUrl(socket: URL, path: string | URL = socket): URL {
  const url = new URL(path, socket);
  url.protocol = socket.protocol === 'wss:' ? 'https:' : 'http:';
  return url;
}

export function headersOf({ token, pageKey }: Pick<Endpoint, 'token' | 'pageKey'>): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(pageKey === undefined ? {} : { 'x-cosession-page': pageKey }),
  };
}

/** A browser cannot set headers on a WebSocket, so the keys go into the subprotocols, after one that the server accepts. */
export function protocolsOf({ token, pageKey }: Endpoint): string[] {
  const keys = [
    ...(token === undefined ? [] : [`token.${token}`]),
    ...(pageKey === undefined ? [] : [`page.${pageKey}`]),
  ];
  return keys.length === 0 ? [] : ['cosession', ...keys];
}

function parse(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const protocol = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' }[url.protocol];
  if (protocol === undefined) return undefined;
  url.protocol = protocol;
  url.hash = '';
  return url;
}
