import { createHash } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import { RecentMap } from '../util/recent-map.js';
import { sanitize } from '../util/sanitize.js';

/** A message that was taken, and the turn it started. */
export type Sent = { readonly text: string; readonly turnId: string };

type Known = { readonly digest: string; readonly turnId: string };

/** What is known of one, as it is stored. */
export type KnownMessage = readonly [messageId: string, known: Known];

const remembered = 1000;

/** The messages of a session by the ids that clients gave them: sent again, each is the turn it has started. */
export class SentMessages {
  readonly #byId = new RecentMap<string, Known>(remembered);

  constructor(known: Iterable<KnownMessage> = []) {
    for (const [id, message] of known) this.#byId.set(id, message);
  }

  /** Oldest first. */
  get all(): readonly KnownMessage[] {
    return [...this.#byId];
  }

  add(messageId: string | undefined, { text, turnId }: Sent): void {
    if (messageId !== undefined) this.#byId.set(messageId, { digest: digestOf(text), turnId });
  }

  /** Undefined when the message is new. Throws `message-id-used` when its id was another message's. */
  turnOf({ messageId, text }: { readonly messageId?: string; readonly text: string }): string | undefined {
    const known = messageId === undefined ? undefined : this.#byId.get(messageId);
    if (!known) return undefined;
    const { digest, turnId } = known;
    // A prompt enters the queue sanitized.
    if (digest === digestOf(sanitize(text))) return turnId;
    throw messageIdUsed(messageId, { turnId });
  }
}

/** `where`: what the message with other words has led to. */
export function messageIdUsed(messageId: string | undefined, where: Readonly<Record<string, unknown>>): AppError {
  return new AppError(
    'message-id-used',
    `messageId "${messageId}" was used for a message with other words; give each message an id of its own`,
    { details: { messageId, ...where } },
  );
}

/** Kept instead of the words: a prompt may have a megabyte. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
