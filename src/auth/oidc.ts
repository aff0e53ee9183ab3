import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import { AppError } from '../domain/errors.js';
import type { Authenticator, Credentials } from './authenticator.js';
import { isScope, type Principal, type Scope } from './principal.js';

export type OidcOptions = {
  /** As it appears in the tokens (`iss`). */
  readonly issuer: string;
  /** The issuer's name for this server (`aud`). */
  readonly audience: string;
  /** Where the issuer's keys are; found by discovery if not given. */
  readonly jwksUrl?: string;
  /** The claim that holds our scopes, such as `realm_access.roles`. By default `scope`, `scp` and `roles` are read. */
  readonly scopeClaim?: string;
  /** The prefix of our scopes in that claim. It keeps another application's "admin" from being taken for ours. */
  readonly scopePrefix?: string;
};

/** Only signatures by a private key. The issuer's public keys cannot verify a shared secret or a missing signature. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const clockToleranceS = 30;
const timeoutMs = 5000;

/** Accepts tokens (JWT) of an OpenID Connect issuer, verified against its published keys. */
export function oidc(options: OidcOptions): Authenticator {
  const { issuer, audience } = options;
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let keys: Promise<JWTVerifyGetKey> | undefined;

  /** Fetched on first use, and again if that failed: a server may start before its issuer. */
  function issuerKeys(): Promise<JWTVerifyGetKey> {
    keys ??= findKeys().catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  }

  async function findKeys(): Promise<JWTVerifyGetKey> {
    const url = options.jwksUrl ?? (await discover(discoveryUrl, issuer));
    // Cached for ten minutes. A token with an unknown key causes another fetch, at most every 30 s.
    return createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs });
  }

  return {
    scheme: { type: 'openIdConnect', url: discoveryUrl, description: `an access token of ${issuer}` },
    async authenticate({ token }: Credentials): Promise<Principal | undefined> {
      if (token === undefined || token.split('.').length !== 3) return undefined;
      try {
        const rules = { issuer, audience, algorithms, clockTolerance: clockToleranceS };
        const { payload } = await jwtVerify(token, await issuerKeys(), { ...rules, requiredClaims: ['exp', 'sub'] });
        return {
          id: `oidc:${new URL(issuer).host}:${payload.sub ?? ''}`,
          scopes: scopesOf(payload, options),
          via: 'oidc',
          // What it shares ends with it, so it is part of the principal.
          expiresAt: new Date((payload.exp ?? 0) * 1000).toISOString(),
        };
      } catch (cause) {
        throw refusal(cause);
      }
    },
  };
}

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** OpenID Connect Discovery 1.0, section 4: the document must name the issuer it was requested from. */
async function discover(url: string, issuer: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const found = discoverySchema.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`${url} names the issuer ${found.issuer}, expected ${issuer}`);
  return found.jwks_uri;
}

function scopesOf(payload: JWTPayload, { scopeClaim, scopePrefix = 'cosession:' }: OidcOptions): Scope[] {
  const claims = scopeClaim === undefined ? ['scope', 'scp', 'roles'] : [scopeClaim];
  const words = claims.flatMap((claim) => wordsOf(claimOf(payload, claim)));
  return words
    .filter((word) => word.startsWith(scopePrefix))
    .map((word) => word.slice(scopePrefix.length))
    .filter(isScope);
}

/** Finds a claim by its name, which may contain dots, or by its path. */
function claimOf(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** Issuers write lists as an array or as words separated by spaces. */
function wordsOf(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.flatMap((item) => (typeof item === 'string' ? item.split(' ') : []));
}

/**
 * The error that says what is wrong with the client's token. An unreachable issuer is not the client's fault, so it has
 * its own code.
 */
function refusal(cause: unknown): AppError {
  if (cause instanceof errors.JWTExpired) return new AppError('bad-token', 'the token has expired', { cause });
  if (cause instanceof errors.JWTClaimValidationFailed)
    return new AppError('bad-token', `the token's claims do not match: ${cause.message}`, { cause });
  if (cause instanceof errors.JOSEAlgNotAllowed)
    return new AppError('bad-token', `the token must be signed with one of ${algorithms.join(', ')}`, { cause });
  if (cause instanceof errors.JWKSNoMatchingKey)
    return new AppError('bad-token', 'the token is signed with a key that its issuer does not publish', { cause });
  if (isTokenFault(cause)) return new AppError('bad-token', 'the token is not valid', { cause });
  return new AppError('auth-unavailable', 'the token issuer cannot be reached; try again later', { cause });
}

function isTokenFault(cause: unknown): boolean {
  return [
    errors.JWSSignatureVerificationFailed,
    errors.JWSInvalid,
    errors.JWTInvalid,
    errors.JWKSMultipleMatchingKeys,
    errors.JOSENotSupported,
  ].some((fault) => cause instanceof fault);
}
