export type Leave = () => void;

export type FairGateOptions = {
  readonly width: number;
  readonly maxWaiting: number;
  /** Keys of one group are one key. */
  readonly groupOf?: (key: string) => string;
};

export type Gate = Pick<FairGate, 'inside' | 'waiting' | 'isFull' | 'tryEnter' | 'enter'>;

/** Lets `width` callers in at a time. Waiting callers take turns by key: many callers with one key cannot hold up the others. */
export class FairGate {
  readonly #width: number;
  readonly #maxWaiting: number;
  readonly #groupOf: (key: string) => string;
  /** Keys in the order in which they are served next. */
  readonly #waiting = new Map<string, ((leave: Leave) => void)[]>();
  #inside = 0;
  #waitingCount = 0;

  constructor({ width, maxWaiting, groupOf = (key) => key }: FairGateOptions) {
    this.#width = width;
    this.#maxWaiting = maxWaiting;
    this.#groupOf = groupOf;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** No more callers should wait. Callers that enter anyway wait too. */
  get isFull(): boolean {
    return this.#inside >= this.#width && this.#waitingCount >= this.#maxWaiting;
  }

  /** Lets the caller in if there is room. */
  tryEnter(): Leave | undefined {
    return this.#inside < this.#width ? this.#acceptRequest() : undefined;
  }

  enter(key: string): Promise<Leave> {
    const leave = this.tryEnter();
    if (leave) return Promise.resolve(leave);
    this.#waitingCount++;
    const group = this.#groupOf(key);
    return new Promise((resolve) => {
      const line = this.#waiting.get(group);
      if (line) line.push(resolve);
      else this.#waiting.set(group, [resolve]);
    });
  }

  #acceptRequest(): Leave {
    this.#inside++;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside--;
      this.#letNextIn();
    };
  }

  #letNextIn(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const [key, line] = first;
    const next = line.shift();
    // The key moves to the end of the round, or is removed if nobody waits under it any more.
    this.#waiting.delete(key);
    if (line.length > 0) this.#waiting.set(key, line);
    this.#waitingCount--;
    next?.(this.#acceptRequest());
  }
}
