import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate, Leave } from './fair-gate.js';
import type { OwnerPlaces } from './owner-places.js';
import { within } from './within.js';

export type LimitedGateOptions = {
  readonly gate: Gate;
  readonly maxWaiting: number;
  readonly places: OwnerPlaces;
  /** Whose places a key needs. */
  readonly ownerOf: (key: string) => Promise<string>;
  /** A place of this owner is free: others who wait for one can look now. */
  readonly onFree: (owner: string) => void;
  readonly onError: (error: unknown) => void;
  /** How often those who wait look for a free place. Default one second. */
  readonly lookMs?: number;
};

type Line = { readonly waiting: { readonly id: string; readonly enter: () => void }[]; look: () => void };

const lookEveryMs = 1000;

/** A gate that lets in only so many callers of one owner at a time, at this gate and all others that share the places. */
export class LimitedGate implements Gate {
  readonly #options: LimitedGateOptions;
  readonly #lines = new Map<string, Line>();
  /** Places that are given back, by id. */
  readonly #left = new Map<string, string>();
  #isLeaving = false;
  #isClosed = false;
  #waiting = 0;

  constructor(options: LimitedGateOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#options.gate.inside;
  }

  get waiting(): number {
    return this.#waiting + this.#options.gate.waiting;
  }

  get isFull(): boolean {
    return this.#options.gate.isFull || (this.#waiting > 0 && this.waiting >= this.#options.maxWaiting);
  }

  /** Nobody gets in at once: a place has to be found first. */
  tryEnter(): undefined {
    return undefined;
  }

  /** Callers wait for a place first: they must not hold up others at the gate meanwhile. */
  async enter(key: string): Promise<Leave> {
    const { gate, ownerOf } = this.#options;
    const id = randomUUID();
    this.#waiting++;
    const owner = await ownerOf(key).catch(() => key);
    await new Promise<void>((resolve) => this.#wait(owner, id, resolve));
    this.#waiting--;
    const leave = await gate.enter(key);
    return () => {
      leave();
      this.#leave(owner, id);
    };
  }

  /** Elsewhere somebody of this owner has left. */
  look(owner: string): void {
    this.#lines.get(owner)?.look();
  }

  /** Lets nobody in any more. Places that were not given back end with the lease of the process. */
  close(): void {
    this.#isClosed = true;
  }

  #wait(owner: string, id: string, enter: () => void): void {
    const line = this.#lines.get(owner);
    if (line) return void line.waiting.push({ id, enter });
    const fresh: Line = { waiting: [{ id, enter }], look: () => {} };
    this.#lines.set(owner, fresh);
    void this.#serve(owner, fresh);
  }

  async #serve(owner: string, line: Line): Promise<void> {
    const { lookMs = lookEveryMs } = this.#options;
    for (let [first] = line.waiting; first && !this.#isClosed; [first] = line.waiting) {
      // From before the attempt: what is left during it must not be missed.
      const isFree = new Promise<void>((resolve) => (line.look = resolve));
      if (await this.#take(owner, first.id)) line.waiting.shift()?.enter();
      else await within(lookMs, isFree, () => undefined);
    }
    this.#lines.delete(owner);
  }

  /** If the reply to an attempt was lost, the next one finds the place taken under the same id. */
  async #take(owner: string, id: string): Promise<boolean> {
    try {
      return await this.#options.places.take(owner, id);
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #leave(owner: string, id: string): void {
    this.#left.set(id, owner);
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    void this.#giveBack();
  }

  /** Until all are given back: nobody else would do it while this process lives. */
  async #giveBack(): Promise<void> {
    const { places, onFree, lookMs = lookEveryMs } = this.#options;
    while (this.#left.size > 0 && !this.#isClosed) {
      const left = [...this.#left];
      try {
        await places.leave(left.map(([id]) => id));
        for (const [id] of left) this.#left.delete(id);
        for (const owner of new Set(left.map(([, name]) => name))) {
          this.look(owner);
          onFree(owner);
        }
      } catch (error) {
        this.#report(error);
        await sleep(lookMs, undefined, { ref: false });
      }
    }
    this.#isLeaving = false;
  }

  #report(error: unknown): void {
    if (!this.#isClosed) this.#options.onError(error);
  }
}
