import { CosessionError } from './cosession-error.js';
import type { WebSocketClass } from './web-socket.js';

/** Where a session is, and how this client identifies itself. */
export type Endpoint = {
  readonly url: URL;
  readonly WebSocket: WebSocketClass;
  readonly token?: string;
  readonly client?: string;
};

/** The WebSocket address of an endpoint, from any form in which people write its address. */
export function socketUrl({ url, port }: { url?: string; port?: number }): URL {
  if (url === undefined && port === undefined) throw new CosessionError('bad-request', 'connect needs a url or a port');
  const given = url ?? `http://127.0.0.1:${port}/`;
  const parsed = parse(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
  if (!parsed) throw new CosessionError('bad-request', `"${given}" is not the address of an endpoint`);
  if (!parsed.pathname.endsWith('/ws')) parsed.pathname = `${parsed.pathname.replace(/\/$/, '')}/ws`;
  return parsed;
}

/** The address of the same endpoint for plain HTTP requests. */
export function httpUrl(socket: URL, path: string): URL {
  const url = new URL(path, socket);
  url.protocol = socket.protocol === 'wss:' ? 'https:' : 'http:';
  return url;
}

function parse(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const protocol = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' }[url.protocol];
  if (protocol === undefined) return undefined;
  url.protocol = protocol;
  url.search = '';
  url.hash = '';
  return url;
}
