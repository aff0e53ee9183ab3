import type { SecurityScheme } from '../domain/security-scheme.js';
import type { Principal } from './principal.js';

/** What a caller brought, the same from HTTP, a WebSocket and gRPC. */
export type Credentials = {
  /** Of `Authorization: Bearer`, or what stands for it on a WebSocket. */
  readonly token?: string;
  /** For authenticators that read another header, such as the assertion of a proxy. */
  header(name: string): string | undefined;
};

/** One way to recognise callers. Tokens of our own and OpenID Connect are two; write another for what you have. */
export type Authenticator = {
  readonly scheme: SecurityScheme;
  /** Undefined: these credentials are not of my kind. Throws `bad-token` when they are, and are not valid. */
  authenticate(credentials: Credentials): Promise<Principal | undefined>;
};

/** The first authenticator that knows the kind of credentials decides. Undefined: none does. */
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
