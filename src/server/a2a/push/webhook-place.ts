import { randomBytes } from 'node:crypto';
import { type Seal, sealKeyBytes, sealWith } from './seal.js';
import type { SealedWebhook } from './webhook.js';

/** Where the webhooks of sessions are kept, and the seal that makes their secrets unreadable there. */
export type WebhookPlace = {
  readonly store: {
    /** The last saved value, not yet validated. */
    webhooks(sessionId: string): Promise<unknown>;
    saveWebhooks(sessionId: string, webhooks: SealedWebhooks): Promise<void>;
  };
  readonly seal: Seal;
};

type SealedWebhooks = {
  /** Notices are still to be sent. If this process dies, another server that shares the store recovers the session. */
  readonly areOpen: boolean;
  readonly body: readonly SealedWebhook[];
};

/** For a session that ends with the process. */
export function webhooksInMemory(): WebhookPlace {
  const kept = new Map<string, unknown>();
  return {
    store: {
      webhooks: async (sessionId) => kept.get(sessionId),
      async saveWebhooks(sessionId, { body }) {
        kept.set(sessionId, body);
      },
    },
    seal: sealWith(randomBytes(sealKeyBytes)),
  };
}
