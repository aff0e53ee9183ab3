import type { Role } from '../../auth/roles.js';
import type { Origin } from '../../domain/events.js';
import type { SessionPort } from '../../session/session-port.js';
import { clientsOf, type Membership } from './session-clients.js';

/** Called when clients join and leave. */
export type Presence = {
  joined(client: string, count: number): void;
  left(client: string, count: number): void;
  /** A browser was paired. */
  paired?(label: string, role: Role): void;
};

/** Counts the connected clients of all transports. */
export class Lobby {
  readonly #presence: Presence;
  readonly #onVisit: ((taskId: string, by: Origin) => void) | undefined;
  #count = 0;

  /** `onVisit` is called whenever a client opens a session. */
  constructor(presence: Presence, onVisit?: (taskId: string, by: Origin) => void) {
    this.#presence = presence;
    this.#onVisit = onVisit;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns a function to call when the client leaves. */
  enter(name: string): () => void {
    this.#presence.joined(name, ++this.#count);
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      this.#presence.left(name, --this.#count);
    };
  }

  /** A client takes part in a session. */
  join(session: SessionPort, by: Origin): Membership {
    this.#onVisit?.(session.id, by);
    return clientsOf(session).join(by);
  }
}
