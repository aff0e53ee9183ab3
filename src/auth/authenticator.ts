import type { SecurityScheme } from '../domain/security-scheme.js';
import type { ClientCertificate } from './client-certificate.js';
import type { Principal } from './principal.js';

/** The credentials of a caller, in one form for HTTP, WebSocket and gRPC. */
export type Credentials = {
  /** From `Authorization: Bearer`, or its substitute on a WebSocket. */
  readonly token?: string;
  /** Shown during the TLS handshake, and signed by an authority that the server trusts. */
  readonly certificate?: ClientCertificate;
  /** Both halves of what a paired browser holds: its cookie and its page key, joined by a dot. */
  readonly device?: string;
  /** For authenticators that read another header, such as the assertion of a proxy. */
  header(name: string): string | undefined;
};

/** One way to recognise callers. Our own tokens, OpenID Connect and client certificates are built in; you can write another. */
export type Authenticator = {
  readonly scheme: SecurityScheme;
  /** Returns undefined for credentials of another kind. Throws `bad-token` if they are of this kind but not valid. */
  authenticate(credentials: Credentials): Promise<Principal | undefined>;
};

/** The first authenticator that recognises the kind of credentials decides. Undefined if none does. */
export async function recognise(
  authenticators: readonly Authenticator[],
  credentials: Credentials,
): Promise<Principal | undefined> {
  for (const authenticator of authenticators) {
    const principal = await authenticator.authenticate(credentials);
    if (principal) return principal;
  }
  return undefined;
}
