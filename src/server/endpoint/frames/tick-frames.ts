import { Gathering } from '../../http/gathering.js';

/** What is gathered is written early once it reaches this size. */
const flushLength = 256 * 1024;

/**
 * Frames on their way to one or more sockets, as buffers or as texts that `join` makes frames of. Those that are gathered are sent
 * in one write.
 */
export class TickFrames<Frame extends string | Buffer> {
  readonly #join: (frames: readonly Frame[]) => Buffer;
  readonly #write: (bytes: Buffer) => void;
  #frames: Frame[] = [];
  #length = 0;
  readonly #gathering = new Gathering(() => this.flush());

  constructor(join: (frames: readonly Frame[]) => Buffer, write: (bytes: Buffer) => void) {
    this.#join = join;
    this.#write = write;
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
    this.#length += frame.length;
    this.#gathering.note();
    if (this.#length >= flushLength) this.flush();
  }

  flush(): void {
    if (this.#frames.length === 0) return;
    const joined = this.#join(this.#frames);
    this.#frames = [];
    this.#length = 0;
    this.#write(joined);
  }
}
