import type { ServerCallContext } from '@a2a-js/sdk/server';
import { pushAllUri } from '../../../dialects/a2a/push-all.js';
import type { PushWishes } from '../push/webhook.js';

/** How to call a webhook: in the version and with the extensions of the request that registered it. */
export function pushWishes(
  { requestedVersion, requestedExtensions }: ServerCallContext,
  isExtended: boolean,
): PushWishes {
  const updates = requestedExtensions?.includes(pushAllUri) ? 'all' : 'settled';
  return { version: requestedVersion, updates, isExtended };
}
