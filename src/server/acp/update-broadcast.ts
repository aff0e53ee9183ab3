import { toAppError } from '../../domain/errors.js';
import type { SessionEvent } from '../../domain/events.js';
import type { AcpDialect } from '../../dialects/acp/dialect.js';
import type { SessionPort } from '../../session/session-port.js';
import { type AcpAudience, Narrator } from './narrator.js';
import { SessionUpdate } from './update.js';

/** An ACP client that follows a session. */
export type Follower = AcpAudience & {
  take(update: SessionUpdate): void;
  /** Called after the updates of the event. */
  onEvent(event: SessionEvent): void;
};

/** Sends every event of a session to all ACP clients of one dialect that follow it. */
export class UpdateBroadcast {
  readonly #session: SessionPort;
  readonly #dialect: AcpDialect;
  readonly #followers = new Set<Follower>();
  #following: { readonly narrator: Narrator; readonly end: () => void } | undefined;

  constructor(session: SessionPort, dialect: AcpDialect) {
    this.#session = session;
    this.#dialect = dialect;
  }

  /** Sends the client the current state, then every new event. Returns the undo. */
  join(follower: Follower, isNew: boolean): () => void {
    this.#following ??= this.#follow();
    const { scene } = this.#following.narrator;
    const { id, commands } = this.#session;
    for (const update of this.#dialect.toOpening({ commands, scene, isNew }))
      follower.take(new SessionUpdate(id, update));
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size > 0) return;
      this.#following?.end();
      this.#following = undefined;
    };
  }

  #follow() {
    const narrator = new Narrator(this.#session, this.#dialect);
    for (const event of this.#session.story) narrator.pass(event);
    const { ended } = this.#session;
    const unsubscribe = this.#session.subscribe((event) => this.#onEvent(narrator, event));
    const sayFarewell = (): void => this.#onEnd(narrator, toAppError(ended.reason).message);
    ended.addEventListener('abort', sayFarewell, { once: true });
    const end = (): void => {
      unsubscribe();
      ended.removeEventListener('abort', sayFarewell);
    };
    return { narrator, end };
  }

  #onEnd({ scene }: Narrator, why: string): void {
    const updates = this.#dialect.toFarewell(why, scene).map((update) => new SessionUpdate(this.#session.id, update));
    for (const follower of this.#followers) for (const update of updates) follower.take(update);
  }

  #onEvent(narrator: Narrator, event: SessionEvent): void {
    for (const follower of this.#followers) {
      for (const update of narrator.tell(event, follower)) follower.take(update);
      follower.onEvent(event);
    }
  }
}
