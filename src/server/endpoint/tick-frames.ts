/** Frames that wait for the end of the tick are written early when they reach this. */
const flushBytes = 256 * 1024;

/**
 * Frames on their way to one or more sockets. The first of a tick leaves at once, before anything else the tick may bring;
 * those behind it leave at its end in one write: under a burst that is many times what a write per frame reaches, and a
 * single frame waits for nothing.
 */
export class TickFrames {
  readonly #write: (bytes: Buffer) => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  #isGathering = false;

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  push(frame: Buffer): void {
    if (!this.#isGathering) return this.#writeFirst(frame);
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#bytes >= flushBytes) this.flush();
  }

  flush(): void {
    if (this.#frames.length === 0) return;
    const [only] = this.#frames;
    const joined = this.#frames.length === 1 && only ? only : Buffer.concat(this.#frames, this.#bytes);
    this.#frames = [];
    this.#bytes = 0;
    this.#write(joined);
  }

  #writeFirst(frame: Buffer): void {
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      this.flush();
    });
    this.#write(frame);
  }
}
