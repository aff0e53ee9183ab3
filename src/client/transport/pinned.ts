import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { WebSocket } from 'ws';
import type { Fetch } from './fetch.js';
import type { WebSocketClass } from './web-socket.js';

/**
 * Trusts exactly one certificate (PEM), whatever names it has and whoever signed it: the discovery file of a session says
 * which one its endpoint shows. Everything else about it is verified as usual.
 */
export function pinnedTo(certificate: string): ConnectionOptions {
  const { raw } = new X509Certificate(certificate);
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: (host, peer) =>
      peer.raw.equals(raw) ? undefined : new Error(`${host} shows a different certificate than the session announced`),
  };
}

export function pinnedWebSocket(certificate: string): WebSocketClass {
  const tls = pinnedTo(certificate);
  return class extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols, tls);
    }
  };
}

/** `fetch` has no such option, so this is Node's own client. */
export function pinnedFetch(certificate: string): Fetch {
  const tls = pinnedTo(certificate);
  return async (url, { body, ...details } = {}) => {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(url, { ...details, ...tls, agent: false }, resolve);
      call.once('error', reject);
      call.end(body);
    });
    const { statusCode: status = 0, headersDistinct } = message;
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const bytes = Buffer.concat(await message.toArray());
    return new Response(status === 204 ? null : bytes, { status, headers });
  };
}
