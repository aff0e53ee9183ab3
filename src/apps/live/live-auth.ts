import { isLoopback } from '../../server/door/address.js';
import type { AuthOptions } from '../../server/guards/access.js';
import { defaultLimits } from '../../server/guards/credential-check.js';

/** Who may use a live session besides its owner. Callers from other machines may not send requests without limit. */
export function liveAuth({ host, publicUrl }: { readonly host?: string; readonly publicUrl?: string }): AuthOptions {
  const isReachable = publicUrl !== undefined || !isLoopback(host ?? '127.0.0.1');
  return isReachable ? { limits: defaultLimits } : {};
}
