import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { importJWK, jwtVerify } from 'jose';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

export type Pushed = { readonly headers: IncomingHttpHeaders; readonly alert: unknown; readonly bytes: Buffer };

/** A push service and the browser behind it: verifies who sends (RFC 8292) and decrypts what was sent (RFC 8291). */
export async function openPushService(status: () => number = () => 201) {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const alert: unknown = JSON.parse(decrypt(bytes, browser, auth).toString());
      pushed.push({ headers: request.headers, alert, bytes });
      response.writeHead(status()).end();
    });
  });
  const port = await listenOnLoopback(server, 0);
  const origin = `http://127.0.0.1:${port}`;
  return {
    pushed,
    origin,
    subscription: (name = 'phone') => ({
      endpoint: `${origin}/send/${name}`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    }),
    /** The claims of the sender, if it has the private key of `publicKey`. */
    async senderOf({ headers }: Pushed, publicKey: string): Promise<unknown> {
      const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
      if (key !== publicKey) throw new Error(`another key: ${key}`);
      const point = Buffer.from(publicKey, 'base64url');
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
      const verified = await importJWK({ kty: 'EC', crv: 'P-256', ...(x && y ? { x, y } : {}) }, 'ES256');
      return (await jwtVerify(token, verified, { audience: origin })).payload;
    },
    close: () => server.close(),
  };
}

/** RFC 8291, section 3.4, with one record of RFC 8188. */
export function decrypt(bytes: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = bytes.subarray(0, 16);
  const idLength = bytes.readUInt8(20);
  const sender = bytes.subarray(21, 21 + idLength);
  const shared = browser.computeSecret(sender);
  const derive = (secret: Buffer, from: Buffer, info: string | Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = derive(shared, auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const record = bytes.subarray(21 + idLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2 and zeros.
  return plain.subarray(0, plain.lastIndexOf(2));
}
