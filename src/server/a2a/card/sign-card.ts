import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { AppError } from '../../../domain/errors.js';

export type CardKey = {
  readonly privateKey: KeyObject;
  readonly algorithm: string;
  readonly publicJwk: JsonWebKey & { kid: string };
};

/** Reads a private key (PEM) that signs the card: P-256, Ed25519 or RSA. */
export function readCardKey(pem: string): CardKey {
  const privateKey = parseKey(pem);
  const algorithm = algorithmOf(privateKey);
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, algorithm, publicJwk: { ...jwk, kid: thumbprint(jwk), alg: algorithm, use: 'sig' } };
}

/** The card with a signature over its wire form (A2A 8.4). `jku` is the URL of the public key. */
export async function signCard(
  card: AgentCard,
  { privateKey, algorithm, publicJwk }: CardKey,
  jku: string,
): Promise<AgentCard> {
  const sign = generateAgentCardSignature(privateKey, { alg: algorithm, kid: publicJwk.kid, typ: 'JOSE', jku });
  // Signing the SDK's internal object would cover fields that are never sent.
  const wire = AgentCard.fromJSON(AgentCard.toJSON(card));
  const { signatures } = await sign(wire);
  return { ...card, signatures };
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new AppError('bad-request', 'the card key is not a private key in PEM form', { cause });
  }
}

function algorithmOf(key: KeyObject): string {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === 'ec' && curve === 'prime256v1') return 'ES256';
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  throw new AppError(
    'bad-request',
    `the card key must be P-256, Ed25519 or RSA, not ${curve ?? key.asymmetricKeyType ?? 'unknown'}`,
  );
}

/** RFC 7638: the same key has the same id everywhere. */
function thumbprint({ crv, e, kty, n, x, y }: JsonWebKey): string {
  const fields = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(fields)))
    .digest('base64url');
}
