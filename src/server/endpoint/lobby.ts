/** Told who comes and who goes. */
export type Presence = { joined(client: string, count: number): void; left(client: string, count: number): void };

/** Counts the clients that are here, however they are connected. */
export class Lobby {
  readonly #presence: Presence;
  #count = 0;

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns what to call when the client leaves. */
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
