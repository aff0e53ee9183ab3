/** More first writes than this within `burstMs` are a burst. A person sees no difference, and no engine answers that often. */
const burst = 8;
const burstMs = 1;

/**
 * When events are written to a socket. The first of a tick is written immediately, so a single event never waits; the others are
 * gathered until its end. In a burst of ticks, all are gathered for a millisecond. A write costs more than an event.
 */
export class Gathering {
  readonly #end: () => void;
  #isOn = false;
  #since = -Infinity;
  #writes = 0;

  /** `end` writes what was gathered. */
  constructor(end: () => void) {
    this.#end = end;
  }

  /** Whether to write an event now. Otherwise it is gathered, and `end` called soon. */
  isFirst(): boolean {
    if (this.#isOn) return false;
    this.#isOn = true;
    const now = performance.now();
    if (now - this.#since >= burstMs) [this.#since, this.#writes] = [now, 0];
    const isBurst = ++this.#writes > burst;
    if (isBurst) setTimeout(this.#stop, burstMs);
    else setImmediate(this.#stop);
    return !isBurst;
  }

  readonly #stop = (): void => {
    this.#isOn = false;
    this.#end();
  };
}
