/** The longest delay of a Node timer: 24 days. */
const longestMs = 2 ** 31 - 1;

/** Measures how long a turn works, not counting the time it waits, and calls back when the limit is reached. */
export class TurnClock {
  readonly #limitMs: number;
  readonly #onUp: () => void;
  #leftMs = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onUp: () => void) {
    this.#limitMs = limitMs;
    this.#onUp = onUp;
  }

  /** Starts a new turn: all of its time is left, and none passes until `goOn`. */
  reset(): void {
    this.pause();
    this.#leftMs = this.#limitMs;
  }

  goOn(): void {
    if (this.#timer || this.#leftMs > longestMs) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onUp, this.#rounded(this.#leftMs));
    this.#timer.unref();
  }

  pause(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt));
  }

  /** Node keeps a list of timers per duration until that is over: few durations are few lists, however many turns there are. */
  #rounded(ms: number): number {
    const step = this.#limitMs / 1000;
    return Math.ceil(ms / step) * step;
  }
}
