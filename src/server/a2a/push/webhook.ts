import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { TaskPushNotificationConfig as Config } from '@a2a-js/sdk';
import * as z from 'zod';
import type { Progress } from './outbox.js';
import type { Seal } from './seal.js';

/** How the client that registers a webhook wants to be notified. */
export type PushWishes = {
  /** The A2A version of the notices. */
  readonly version: string;
  /** `settled` sends only that the task waits for an answer or is over. */
  readonly updates: 'settled' | 'all';
  readonly isExtended: boolean;
  /** The principal that registers it. Nobody else gets its address and credentials back. Empty if that was not stored. */
  readonly by: string;
};

export type RegisteredPush = PushWishes & { readonly config: TaskPushNotificationConfig };

/** A webhook of an A2A task, which is a turn of the session. */
export type Webhook = {
  readonly registered: RegisteredPush;
  readonly progress: Progress;
  /** Notices are still to be sent, now or later. */
  readonly isOpen: boolean;
};

/** Once everything was sent, only the record that the webhook existed is kept, without its secrets. */
export function closed({ registered, progress }: Webhook): Webhook {
  const config = { ...registered.config, token: '', authentication: undefined };
  return { registered: { ...registered, config }, progress, isOpen: false };
}

/** A webhook as stored. The URL is sealed too because it is often a secret itself. */
export type SealedWebhook = z.infer<typeof sealedWebhook>;

const sealedWebhook = z.object({
  taskId: z.string(),
  id: z.string(),
  version: z.string(),
  updates: z.enum(['settled', 'all']),
  isExtended: z.boolean(),
  by: z.string().default(''),
  after: z.number(),
  tries: z.number(),
  isOpen: z.boolean(),
  config: z.string(),
});

/** `stored` is undefined if nothing was stored. */
export function readSealed(stored: unknown): readonly SealedWebhook[] {
  return stored === undefined ? [] : z.array(sealedWebhook).parse(stored);
}

export function sealed({ registered, progress, isOpen }: Webhook, seal: Seal): SealedWebhook {
  const { config, ...wishes } = registered;
  const { taskId, id } = config;
  const text = JSON.stringify(Config.toJSON(config));
  return { taskId, id, ...wishes, ...progress, isOpen, config: seal.close(text, placeOf(config)) };
}

/** Undefined if it was sealed with another key. */
export function unsealed(stored: SealedWebhook, seal: Seal): Webhook | undefined {
  const { version, updates, isExtended, by, after, tries, isOpen } = stored;
  const text = seal.open(stored.config, placeOf(stored));
  if (text === undefined) return undefined;
  const config = Config.fromJSON(JSON.parse(text));
  return { registered: { config, version, updates, isExtended, by }, progress: { after, tries }, isOpen };
}

/** Whether a caller may replace or delete it. */
export function isOwn(principal: string, { by }: PushWishes): boolean {
  return by === principal || by === '';
}

/** What a caller gets to see. The credentials, and the address, which is often one, are for whoever registered it. */
export function shownTo(principal: string, { config, by }: RegisteredPush): TaskPushNotificationConfig {
  if (by === principal) return config;
  const { authentication } = config;
  return {
    ...config,
    url: `${new URL(config.url).origin}/`,
    token: '',
    authentication: authentication && { ...authentication, credentials: '' },
  };
}

function placeOf({ taskId, id }: { readonly taskId: string; readonly id: string }): string {
  return JSON.stringify(['webhook', taskId, id]);
}
