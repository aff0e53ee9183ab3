import { groupOf, type Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';

/** One group of callers may hold this fraction of all places. The owner may hold them all. */
const shareOfGroup = 1 / 4;

/** Something that ends: a response, a socket. */
export type Holder = { readonly destroyed: boolean; once(event: 'close', listener: () => void): unknown };

export type PlacesOptions = {
  /** How many there are. */
  readonly limit: number;
  /** What is held, in the plural. */
  readonly what: string;
};

/** Limits what clients may keep open. Every caller has a share, so nobody can take all places. */
export class Places {
  readonly #limit: number;
  readonly #what: string;
  readonly #ofGroups = new Map<string, number>();
  #count = 0;

  constructor({ limit, what }: PlacesOptions) {
    this.#limit = limit;
    this.#what = what;
  }

  get count(): number {
    return this.#count;
  }

  /** Throws `too-many-clients` if there is no place, or none for this caller. */
  check(principal: Principal): void {
    if (this.#count >= this.#limit) throw full(`${this.#limit} ${this.#what} are open already`);
    const share = Math.floor(this.#limit * shareOfGroup);
    if (principal.via === 'owner' || this.#of(groupOf(principal)) < share) return;
    throw full(`you have ${share} ${this.#what} open already, the most for one caller; close one first`);
  }

  /** Checks and takes a place in one step. Returns a function to call when it is free again. */
  take(principal: Principal): () => void {
    this.check(principal);
    const group = groupOf(principal);
    this.#add(group, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(group, -1);
      isHeld = false;
    };
  }

  /** Takes a place until the holder closes. */
  hold(principal: Principal, holder: Holder): void {
    const leave = this.take(principal);
    if (holder.destroyed) leave();
    else holder.once('close', leave);
  }

  #of(group: string): number {
    return this.#ofGroups.get(group) ?? 0;
  }

  #add(group: string, change: 1 | -1): void {
    this.#count += change;
    const count = this.#of(group) + change;
    if (count === 0) this.#ofGroups.delete(group);
    else this.#ofGroups.set(group, count);
  }
}

function full(message: string): AppError {
  return new AppError('too-many-clients', message);
}
