import type { ServeProcess } from '../spawn-serve.js';
import type { Moment } from './moments.js';
import type { Plan } from './plan.js';

/** The kill that a life ends with. */
export class Death {
  readonly #plan: Plan;
  readonly #server: ServeProcess;
  readonly #coming = new AbortController();
  #timesLeft: number;
  #isHeldOff: boolean;

  constructor(plan: Plan, server: ServeProcess) {
    this.#plan = plan;
    this.#server = server;
    this.#timesLeft = plan.times;
    // What a server does when the store is away for long is seen to the end.
    this.#isHeldOff = plan.outage?.isLong === true;
  }

  get signal(): AbortSignal {
    return this.#coming.signal;
  }

  happened(moment: Moment): void {
    if (moment !== this.#plan.killAt || this.#isHeldOff || --this.#timesLeft !== 0) return;
    const { delayMs } = this.#plan;
    // In this tick: what the server does in the next millisecond is what may be lost.
    if (delayMs === 0) this.come();
    else setTimeout(() => this.come(), delayMs);
  }

  /** From now on it may come. */
  allow(): void {
    this.#isHeldOff = false;
  }

  come(): void {
    this.#coming.abort();
    this.#server.kill('SIGKILL');
  }
}
