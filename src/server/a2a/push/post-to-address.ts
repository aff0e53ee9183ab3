import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SafeTarget } from './safe-target.js';

const timeoutMs = 10_000;

/**
 * Posts to exactly the address that was checked. Follows no redirects, as they could lead anywhere. Resolves to the status.
 * The whole exchange has one deadline: a receiver that sends a byte now and then must not keep a connection.
 */
export function postToAddress(
  { url, address, family }: SafeTarget,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<number> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
    });
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    const deadline = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    call.once('close', () => clearTimeout(deadline));
    call.on('error', reject);
    call.end(body);
  });
}
