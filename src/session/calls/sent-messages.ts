import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.js';
import { RecentMap } from '../../util/recent-map.js';
import { sanitize } from '../../util/text/sanitize.js';

/** An accepted message, and the turn that it started. */
export type Sent = { readonly text: string; readonly turnId: string };

type Known = { readonly digest: string; readonly turnId: string };

/** A known message, as it is stored. */
export type KnownMessage = readonly [messageId: string, known: Known];

const remembered = 1000;

/** The messages of a session by their client's ids: a repeated message belongs to the turn that it started. */
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

  /** Undefined if the message is new. Throws `message-id-used` if another message had this id. */
  turnOf({ messageId, text }: { readonly messageId?: string; readonly text: string }): string | undefined {
    const known = messageId === undefined ? undefined : this.#byId.get(messageId);
    if (!known) return undefined;
    const { digest, turnId } = known;
    // The known digest is of the sanitized text, as it entered the queue.
    if (digest === digestOf(sanitize(text))) return turnId;
    throw messageIdUsed(messageId, { turnId });
  }
}

/** `where`: what the first message with this id led to. */
export function messageIdUsed(messageId: string | undefined, where: Readonly<Record<string, unknown>>): AppError {
  return new AppError(
    'message-id-used',
    `messageId "${messageId}" was already used for a different message; give each message its own id`,
    { details: { messageId, ...where } },
  );
}

/** Kept instead of the text, because a prompt can be a megabyte. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
