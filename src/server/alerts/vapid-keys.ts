import { generateKeyPairSync } from 'node:crypto';
import * as z from 'zod';
import type { AlertPlace } from './alert-place.js';

/** Identify this server to push services (RFC 8292), in base64url. Browsers tie a subscription to the public key. */
export type VapidKeys = z.infer<typeof schema>;

const schema = z.object({ publicKey: z.string(), privateKey: z.string() });

/** Created on first use and kept, because subscriptions are of no use with other keys. */
export async function vapidKeysIn(place: AlertPlace): Promise<VapidKeys> {
  return schema.parse(JSON.parse(await place.once('vapid.json', () => JSON.stringify(createKeys()))));
}

function createKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  // An uncompressed point: 4, x, y (SEC 1, 2.3.3).
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey: d };
}
