/** More first writes than this within `burstMs` are a burst. A person sees no difference, and no engine answers that often. */
const burst = 8;
const burstMs = 1;

/**
 * When events are written to a socket. The first of a tick is written immediately, so a single event never waits; the others are
 * gathered until its end. In a burst of ticks, all are gathered for a millisecond. A write costs more than an event.
 */
export class Gathering {
  readonly #write: () => void;
  #isOn = false;
  #since = -Infinity;
  #writes = 0;

  /** `write` writes what was gathered. */
  constructor(write: () => void) {
    this.#write = write;
  }

  /** An event was gathered: it is written now or soon. */
  note(): void {
    if (this.#isOn) return;
    const now = performance.now();
    if (now - this.#since >= burstMs) [this.#since, this.#writes] = [now, 0];
    const isBurst = ++this.#writes > burst;
    if (!isBurst) this.#write();
    this.#isOn = true;
    if (isBurst) setTimeout(this.#stop, burstMs);
    else setImmediate(this.#stop);
  }

  readonly #stop = (): void => {
    this.#isOn = false;
    this.#write();
  };
}
