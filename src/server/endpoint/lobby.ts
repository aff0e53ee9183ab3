import type { Role } from '../../auth/roles.js';

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
  #count = 0;

  constructor(presence: Presence) {
    this.#presence = presence;
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
}
