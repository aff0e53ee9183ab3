/** What waits for the end of the tick is written early once it reaches this size. */
const flushLength = 256 * 1024;

/**
 * Frames on their way to one or more sockets, as buffers or as texts that `join` makes frames of. The first of a tick is sent
 * immediately, before anything else in the tick, so a single frame never waits. Those after it are sent at the end of the
 * tick in one write. Under a burst this is many times faster than one write per frame.
 */
export class TickFrames<Frame extends string | Buffer> {
  readonly #join: (frames: readonly Frame[]) => Buffer;
  readonly #write: (bytes: Buffer) => void;
  #frames: Frame[] = [];
  #length = 0;
  #isGathering = false;

  constructor(join: (frames: readonly Frame[]) => Buffer, write: (bytes: Buffer) => void) {
    this.#join = join;
    this.#write = write;
  }

  push(frame: Frame): void {
    if (!this.#isGathering) return this.#writeFirst(frame);
    this.#frames.push(frame);
    this.#length += frame.length;
    if (this.#length >= flushLength) this.flush();
  }

  flush(): void {
    if (this.#frames.length === 0) return;
    const joined = this.#join(this.#frames);
    this.#frames = [];
    this.#length = 0;
    this.#write(joined);
  }

  #writeFirst(frame: Frame): void {
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      this.flush();
    });
    this.#write(this.#join([frame]));
  }
}
