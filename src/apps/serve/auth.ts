import { oidc } from '../../auth/oidc.js';
import { TokenFolder } from '../../auth/token-folder.js';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { AuthOptions } from '../../server/guards/access.js';
import { defaultLimits, type RateLimits } from '../../server/guards/credential-check.js';
import { isLoopback } from '../../server/door/address.js';

/** Accepts the tokens of this state folder, and those of an OIDC issuer if one is set. */
export async function authOf(options: ServeOptions, stateDir: string): Promise<AuthOptions> {
  const tokens = new TokenFolder(stateDir);
  // On loopback the user needs no token. On any other address, a folder without tokens would lock everybody out.
  const hasTokens = isLoopback(options.host) || (await tokens.list()).tokens.length > 0;
  const limits = limitsOf(options);
  return {
    authenticators: [...(hasTokens ? [tokens] : []), ...(options.oidc ? [oidc(options.oidc)] : [])],
    ...(limits ? { limits } : {}),
    trustedProxies: options.trustedProxies,
  };
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
