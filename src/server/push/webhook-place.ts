import { randomBytes } from 'node:crypto';
import { type Seal, sealKeyBytes, sealWith } from './seal.js';
import type { SealedWebhook } from './webhook.js';

/** Where the webhooks of sessions are kept, and what makes their secrets unreadable there. */
export type WebhookPlace = {
  readonly store: {
    /** What was saved last, to be checked. */
    webhooks(sessionId: string): Promise<unknown>;
    saveWebhooks(sessionId: string, webhooks: SealedWebhooks): Promise<void>;
  };
  readonly seal: Seal;
};

type SealedWebhooks = {
  /** Something is still to be sent: whoever shares the store takes the session up if this process dies. */
  readonly areOpen: boolean;
  readonly body: readonly SealedWebhook[];
};

/** For a session that is gone with the process. */
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
