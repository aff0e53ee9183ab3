/** How much is read at once. At most twice as much is kept. */
const maxBytes = 128 * 1024;
/**
 * A reader waits this long for something to read, then asks again. Shorter than the time limit of a request between
 * servers.
 */
const waitMs = 2000;
/** A reader that has not asked for this long is gone. */
const forgottenMs = 20_000;

/** A stream that is read in pieces, where requests and replies may be lost: each request says how much the reader has. */
export class PulledStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #onEnd: () => void;
  /** What came and was not sent yet, and what was sent last. */
  #next: Buffer = Buffer.alloc(0);
  #sent: Buffer = Buffer.alloc(0);
  /** How much was sent before `#sent`. */
  #before = 0;
  #isOver = false;
  #wake: () => void = () => {};
  #hasRoom: () => void = () => {};
  #forgetting: NodeJS.Timeout;

  /** `onEnd`: it was read to its end, or nobody reads it any more. */
  constructor(stream: ReadableStream<Uint8Array>, onEnd: () => void) {
    this.#reader = stream.getReader();
    this.#onEnd = onEnd;
    this.#forgetting = this.#forgetLater();
    void this.#fill();
  }

  /** What follows the first `after` bytes: something, or nothing yet. `isEnd`: nothing more follows it. */
  async read(after: number): Promise<{ readonly bytes: Buffer; readonly isEnd: boolean }> {
    clearTimeout(this.#forgetting);
    this.#forgetting = this.#forgetLater();
    // Otherwise the reply was lost, and the same is sent again.
    if (after === this.#before + this.#sent.length) {
      if (this.#next.length === 0 && !this.#isOver) await this.#something();
      this.#before = after;
      this.#sent = this.#next.subarray(0, maxBytes);
      this.#next = this.#next.subarray(this.#sent.length);
      this.#hasRoom();
    }
    return { bytes: this.#sent, isEnd: this.#isOver && this.#next.length === 0 };
  }

  end(): void {
    clearTimeout(this.#forgetting);
    void this.#reader.cancel().catch(() => {});
    this.#onEnd();
  }

  async #fill(): Promise<void> {
    try {
      for (;;) {
        if (this.#next.length >= maxBytes) await new Promise<void>((resolve) => (this.#hasRoom = resolve));
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.#next = Buffer.concat([this.#next, value]);
        this.#wake();
      }
    } catch {
      // The stream was cut off, which the reader treats as its end.
    }
    this.#isOver = true;
    this.#wake();
  }

  async #something(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, waitMs);
    });
    clearTimeout(timer);
  }

  #forgetLater(): NodeJS.Timeout {
    return setTimeout(() => this.end(), forgottenMs).unref();
  }
}
