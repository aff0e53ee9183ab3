import type { Gate, Leave } from './fair-gate.js';

/** One caller's place at a gate: in, on its way in, or out. */
export class GatePlace {
  readonly #gate: Gate;
  readonly #key: string;
  #leave: Leave | undefined;
  #entering: Promise<void> | undefined;

  constructor(gate: Gate, key: string) {
    this.#gate = gate;
    this.#key = key;
  }

  get isIn(): boolean {
    return this.#leave !== undefined;
  }

  get isOnItsWay(): boolean {
    return this.#entering !== undefined;
  }

  /** Enters immediately if there is room. */
  tryEnter(): boolean {
    this.#leave ??= this.#gate.tryEnter();
    return this.isIn;
  }

  /** Resolves once it is in; repeated calls wait for the same place. */
  enter(): Promise<void> {
    if (this.tryEnter()) return Promise.resolve();
    this.#entering ??= this.#wait();
    return this.#entering;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  async #wait(): Promise<void> {
    this.#leave = await this.#gate.enter(this.#key);
    this.#entering = undefined;
  }
}
