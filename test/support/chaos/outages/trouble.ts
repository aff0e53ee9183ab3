import { setTimeout as sleep } from 'node:timers/promises';
import type { Death } from '../death.js';
import type { PlannedOutage } from '../plan.js';
import type { Tally } from '../tally.js';

/** No store has more patience. */
const longestMs = 60_000;

/** The outage of a life: the store goes away in the middle of the work, and comes back whatever happens to the server. */
export class Trouble {
  readonly #plan: PlannedOutage | undefined;
  readonly #death: Death;
  readonly #tally: Tally;
  readonly #work = new AbortController();
  readonly #notice = new AbortController();
  #hasBegun = false;

  constructor(plan: PlannedOutage | undefined, death: Death, tally: Tally) {
    this.#plan = plan;
    this.#death = death;
    this.#tally = tally;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Something happens in this life. */
  workGoesOn(): void {
    this.#work.abort();
  }

  /** The server said that the store is away. */
  isNoticed(): void {
    this.#notice.abort();
  }

  async run(): Promise<void> {
    if (!this.#plan) return;
    const { outage, isLong, ms } = this.#plan;
    const { signal: death } = this.#death;
    await pause(longestMs, AbortSignal.any([this.#work.signal, death]));
    this.#tally.add(`outages: ${outage.name}${isLong ? ', beyond patience' : ''}`);
    this.#hasBegun = true;
    const end = await outage.begin();
    try {
      if (isLong) await pause(longestMs, AbortSignal.any([this.#notice.signal, death]));
      else await pause(ms, death);
      this.#death.allow();
      this.#death.happened('store away');
    } finally {
      await end();
    }
  }
}

/** So long, or until the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
