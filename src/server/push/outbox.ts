import { setTimeout as sleep } from 'node:timers/promises';

/** Says whether the notice was taken. */
export type Deliver = () => Promise<boolean>;

const tries = 6;
/** Notices that wait for one webhook; when it is down only states of the task go beyond this. */
const maxWaiting = 100;

/** What one webhook is still to be told: one after the other, each again and again until it is taken. */
export class Outbox {
  readonly #retryMs: number;
  readonly #giveUp: () => void;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** `retryMs`: the first pause before a retry; each following one is twice as long. */
  constructor(retryMs: number, giveUp: () => void) {
    this.#retryMs = retryMs;
    this.#giveUp = giveUp;
  }

  add(deliver: Deliver, isState: boolean): void {
    if (this.#waiting >= maxWaiting && !isState) return this.#giveUp();
    this.#waiting++;
    this.#tail = this.#tail.then(() => this.#persist(deliver)).finally(() => this.#waiting--);
  }

  /** Resolves when everything added so far was taken or given up. */
  get emptied(): Promise<void> {
    return this.#tail;
  }

  async #persist(deliver: Deliver): Promise<void> {
    for (let attempt = 1; attempt <= tries; attempt++) {
      if (await deliver()) return;
      if (attempt < tries) await sleep(this.#retryMs * 2 ** (attempt - 1), undefined, { ref: false });
    }
    this.#giveUp();
  }
}
