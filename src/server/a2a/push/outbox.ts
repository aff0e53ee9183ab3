import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to whether the webhook accepted the notice. */
export type Deliver = () => Promise<boolean>;

/** How far a webhook has got. Survives a restart. */
export type Progress = {
  /** Everything up to this event was sent. */
  readonly after: number;
  /** Failed attempts to send the next notice. */
  readonly tries: number;
};

export type OutboxOptions = {
  /** The pause before the first retry. Each later pause is twice as long. */
  readonly retryMs: number;
  /** Failed attempts to send the first notice before a restart. */
  readonly tries: number;
  readonly onProgress: (progress: Progress) => void;
  readonly giveUp: () => void;
};

const maxTries = 6;
/** How many notices may wait for one webhook. Beyond this, only states of the task are queued. */
const maxWaiting = 100;

/** The queue of one webhook: sends notices one after the other and retries each until it is accepted or given up. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #stopping = new AbortController();
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #tries: number;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#tries = options.tries;
  }

  /** Queues the notices for one event. */
  add(seq: number, notices: readonly Deliver[], isState: boolean): void {
    if (notices.length === 0) return;
    if (this.#waiting >= maxWaiting && !isState) return this.#options.giveUp();
    this.#waiting++;
    this.#tail = this.#tail.then(() => this.#sendAll(seq, notices)).finally(() => this.#waiting--);
  }

  /** Resolves once everything added so far was accepted or given up, or the outbox was stopped. */
  get emptied(): Promise<void> {
    return this.#tail;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Sends nothing more. Undelivered notices are sent when the session is loaded again. */
  stop(): void {
    this.#stopping.abort();
  }

  async #sendAll(seq: number, notices: readonly Deliver[]): Promise<void> {
    for (const deliver of notices) await this.#persist(seq, deliver);
    this.#report({ after: seq, tries: 0 });
  }

  async #persist(seq: number, deliver: Deliver): Promise<void> {
    for (; this.#tries < maxTries && !this.isStopped; await this.#pause()) {
      if (await deliver()) break;
      this.#report({ after: seq - 1, tries: ++this.#tries });
    }
    if (this.#tries >= maxTries) this.#options.giveUp();
    this.#tries = 0;
  }

  async #pause(): Promise<void> {
    if (this.#tries >= maxTries) return;
    const { signal } = this.#stopping;
    await sleep(this.#options.retryMs * 2 ** (this.#tries - 1), undefined, { ref: false, signal }).catch(() => {});
  }

  #report(progress: Progress): void {
    if (!this.isStopped) this.#options.onProgress(progress);
  }
}
