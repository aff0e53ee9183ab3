import { pushAllUri } from '../../../dialects/a2a/push-all.js';
import type { Caller } from '../calls/caller.js';
import type { PushWishes } from '../push/webhook.js';

/** How to call a webhook: in the version and with the extensions of the request that registered it. */
export function pushWishes({ context, principal }: Caller, isExtended: boolean): PushWishes {
  const { requestedVersion: version, requestedExtensions } = context;
  const updates = requestedExtensions?.includes(pushAllUri) ? 'all' : 'settled';
  return { version, updates, isExtended, by: principal.id };
}
