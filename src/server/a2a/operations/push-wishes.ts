import type { ServerCallContext } from '@a2a-js/sdk/server';
import { pushAllUri } from '../../../dialects/a2a/push-all.js';
import type { PushWishes } from '../../push/webhook.js';

/** How a webhook wants to be called: in the version and with the extensions of the request that registers it. */
export function pushWishes(
  { requestedVersion, requestedExtensions }: ServerCallContext,
  isExtended: boolean,
): PushWishes {
  const updates = requestedExtensions?.includes(pushAllUri) ? 'all' : 'settled';
  return { version: requestedVersion, updates, isExtended };
}
