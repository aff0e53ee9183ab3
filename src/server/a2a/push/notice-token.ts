import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { CardKey } from '../card/sign-card.js';

/** Signs a notification. The webhook can verify the caller and detect changes and replays (A2A 13.2). */
export type NoticeSigner = (notice: {
  readonly audience: string;
  readonly taskId: string;
  readonly body: string;
}) => Promise<string>;

/** How long a signature is valid: long enough for clocks that differ, too short to be useful later. */
const lifeSeconds = 300;

/** One JWT per call, signed with the card's key. `issuer` is our address; its `.well-known/jwks.json` has the public key. */
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
