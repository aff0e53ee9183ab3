import type { SessionEvent } from '../../domain/events.js';
import type { Session } from '../../session/session.js';
import type { Update } from './update.js';
import { type Audience, Narrator } from './narrator.js';

/** An ACP client that follows a session. */
export type Follower = Audience & {
  take(update: Update): void;
  /** Called after the updates of the event. */
  onEvent(event: SessionEvent): void;
};

/** Tells every event of a session to all ACP clients that follow it. */
export class UpdateBroadcast {
  readonly #session: Session;
  readonly #narrator: Narrator;
  readonly #followers = new Set<Follower>();
  #unsubscribe: (() => void) | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#narrator = new Narrator(session);
  }

  /** Returns the undo. */
  join(follower: Follower): () => void {
    this.#followers.add(follower);
    this.#unsubscribe ??= this.#session.subscribe((event) => this.#onEvent(event));
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  #onEvent(event: SessionEvent): void {
    for (const follower of this.#followers) {
      for (const update of this.#narrator.tell(event, follower)) follower.take(update);
      follower.onEvent(event);
    }
  }
}
