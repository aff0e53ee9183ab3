import { createHash } from 'node:crypto';
import webPush from 'web-push';
import { postToAddress } from '../a2a/push/post-to-address.js';
import type { TargetCheck } from '../a2a/push/safe-target.js';
import type { Subscription } from './subscriptions.js';
import type { VapidKeys } from './vapid-keys.js';

/** Everything that leaves this machine. Only the subscribed browser can read it, and it never contains text of a session. */
export type Alert = {
  /** How many questions wait. 0: a turn has ended. */
  readonly n: number;
  readonly task: string;
};

export type SendOptions = {
  readonly keys: VapidKeys;
  /** The contact for push services: the address of the server. */
  readonly subject: string;
  readonly targets: TargetCheck;
};

/** An alert is useless after this time. */
const lifeSeconds = 300;
/** The subscription has ended (RFC 8030, 7.3). */
const gone = new Set([404, 410]);

/** Encrypts for one browser (RFC 8291) and hands over to its push service (RFC 8030). */
export async function sendAlert(
  { endpoint, keys: { p256dh, auth } }: Subscription,
  alert: Alert,
  { keys, subject, targets }: SendOptions,
): Promise<'sent' | 'gone' | 'refused'> {
  const target = await targets.resolve(endpoint);
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(alert),
    {
      vapidDetails: { subject, ...keys },
      TTL: lifeSeconds,
      urgency: 'high',
      // A later alert about the same task replaces one that was not delivered yet.
      topic: createHash('sha256').update(alert.task).digest('base64url').slice(0, 32),
    },
  );
  const status = await postToAddress(target, headers, body ?? Buffer.alloc(0));
  if (gone.has(status)) return 'gone';
  return status >= 200 && status < 300 ? 'sent' : 'refused';
}
