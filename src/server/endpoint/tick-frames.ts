/** Frames that wait for the end of the tick are written early once they reach this size. */
const flushBytes = 256 * 1024;

/**
 * Frames on their way to one or more sockets. The first of a tick is sent immediately, before anything else in the tick, so
 * a single frame never waits. Those after it are sent at the end of the tick in one write. Under a burst this is many times
 * faster than one write per frame.
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
