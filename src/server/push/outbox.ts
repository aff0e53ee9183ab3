import { setTimeout as sleep } from 'node:timers/promises';

/** Says whether the notice was taken. */
export type Deliver = () => Promise<boolean>;

/** How far a webhook is: what survives a restart. */
export type Progress = {
  /** It was sent everything up to this event. */
  readonly after: number;
  /** How often the notice that is next was sent in vain. */
  readonly tries: number;
};

export type OutboxOptions = {
  /** The first pause before a retry; each following one is twice as long. */
  readonly retryMs: number;
  /** Of the first notice, before a restart. */
  readonly tries: number;
  readonly onProgress: (progress: Progress) => void;
  readonly giveUp: () => void;
};

const maxTries = 6;
/** Notices that wait for one webhook; when it is down only states of the task go beyond this. */
const maxWaiting = 100;

/** What one webhook is still to be sent: one after the other, each again and again until it is taken. */
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

  /** What this event has to say. */
  add(seq: number, notices: readonly Deliver[], isState: boolean): void {
    if (notices.length === 0) return;
    if (this.#waiting >= maxWaiting && !isState) return this.#options.giveUp();
    this.#waiting++;
    this.#tail = this.#tail.then(() => this.#sendAll(seq, notices)).finally(() => this.#waiting--);
  }

  /** Resolves when everything added so far was taken or given up, or the outbox was stopped. */
  get emptied(): Promise<void> {
    return this.#tail;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Begins nothing more: what was not taken is for another life of the session. */
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
