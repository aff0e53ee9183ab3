import { AppError } from '../domain/errors.js';
import type { Authenticator } from './authenticator.js';
import { isScope, type Scope } from './principal.js';

/** A certificate that a caller has shown, signed by an authority of `--tls-client-ca`. */
export type ClientCertificate = {
  /** The common name (CN) of its subject. */
  readonly name: string;
  /** The organizational units (OU) of its subject. */
  readonly units: readonly string[];
  readonly validTo: Date;
};

const prefix = 'cosession:';

/**
 * Mutual TLS. The authority says who somebody is and, by units such as `OU=cosession:prompt`, what they may do. A token that
 * is sent as well decides instead.
 */
export const clientCertificates: Authenticator = {
  scheme: { type: 'mutualTls', description: 'a client certificate of an authority that this server trusts' },
  async authenticate({ certificate, token }) {
    if (!certificate || token !== undefined) return undefined;
    const { name, validTo } = certificate;
    if (validTo.getTime() <= Date.now())
      throw new AppError('bad-token', `the certificate of "${name}" expired at ${validTo.toISOString()}`);
    if (name === '') throw new AppError('bad-token', 'the certificate has no common name (CN)');
    return { id: `cert:${name}`, scopes: scopesOf(certificate), via: 'certificate', expiresAt: validTo.toISOString() };
  },
};

function scopesOf({ units }: ClientCertificate): Scope[] {
  return units
    .filter((unit) => unit.startsWith(prefix))
    .map((unit) => unit.slice(prefix.length))
    .filter(isScope);
}
