import { oidc } from '../../auth/oidc.js';
import { TokenFolder } from '../../auth/token-folder.js';
import { Tokens } from '../../auth/tokens.js';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { AlertPlace } from '../../server/alerts/alert-place.js';
import type { AuthOptions } from '../../server/guards/access.js';
import { defaultLimits, type RateLimits } from '../../server/guards/credential-check.js';
import { openStoredTokens } from '../../stores/open-tokens.js';
import { isLoopback } from '../../server/door/address.js';

/** Accepts our own tokens, and those of an OIDC issuer if one is set. */
export async function authOf(options: ServeOptions, tokens: Tokens): Promise<AuthOptions> {
  // On loopback the user needs no token. On any other address, a folder without tokens would lock everybody out.
  const hasTokens = isLoopback(options.host) || (await tokens.list()).tokens.length > 0;
  const limits = limitsOf(options);
  return {
    authenticators: [...(hasTokens ? [tokens] : []), ...(options.oidc ? [oidc(options.oidc)] : [])],
    ...(limits ? { limits } : {}),
    trustedProxies: options.trustedProxies,
  };
}

/** Servers of a cluster share their tokens, paired browsers and what their alerts need; others have those of their state folder. */
export async function openTokens(
  { cluster, store }: ServeOptions,
  stateDir: string,
): Promise<{ readonly tokens: Tokens; readonly alerts?: AlertPlace; readonly closeTokens?: () => Promise<void> }> {
  if (cluster === undefined) return { tokens: new TokenFolder(stateDir) };
  const stored = await openStoredTokens(store);
  return { tokens: new Tokens(stored), alerts: stored.alerts, closeTokens: () => stored.close() };
}

function limitsOf({ rateLimit: perSecond, rateBurst: burst }: ServeOptions): RateLimits | undefined {
  if (perSecond === 0) return undefined;
  const { address, principal, failures } = defaultLimits;
  return {
    address: { burst: burst ?? address.burst, perSecond: Math.max(perSecond ?? 0, address.perSecond) },
    principal: { burst: burst ?? principal.burst, perSecond: perSecond ?? principal.perSecond },
    failures,
  };
}
