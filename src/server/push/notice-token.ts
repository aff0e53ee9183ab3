import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { CardKey } from '../a2a/card/sign-card.js';

/** Signs what a webhook is told, so that it can check who calls and that nothing was changed or replayed (A2A 13.2). */
export type NoticeSigner = (notice: {
  readonly audience: string;
  readonly taskId: string;
  readonly body: string;
}) => Promise<string>;

/** From signing to the end of the webhook's patience: long enough for clocks that differ, too short to be of use later. */
const lifeSeconds = 300;

/** A JWT per call, with the key that signs the card; `issuer` is our address, its `.well-known/jwks.json` verifies it. */
export function noticeSigner({ privateKey, algorithm, publicJwk }: CardKey, issuer: string): NoticeSigner {
  return ({ audience, taskId, body }) =>
    new SignJWT({ task_id: taskId, request_body_sha256: createHash('sha256').update(body).digest('hex') })
      .setProtectedHeader({ alg: algorithm, kid: publicJwk.kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifeSeconds} s`)
      .setJti(randomUUID())
      .sign(privateKey);
}
