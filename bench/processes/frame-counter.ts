const pingOpcode = 0x9;
const textOpcode = 0x1;

/** Counts the unmasked frames of a byte stream (RFC 6455, 5.2) without looking at their payloads. */
export class FrameCounter {
  readonly #header = new Uint8Array(10);
  #headerLength = 0;
  #remaining = 0;

  /** The number of text frames that end in these bytes, the length of those that begin, and whether a ping arrived. */
  push(bytes: Uint8Array): { texts: number; textBytes: number; wasPinged: boolean } {
    let texts = 0;
    let textBytes = 0;
    let wasPinged = false;
    let at = 0;
    while (at < bytes.length) {
      if (this.#remaining === 0) {
        this.#header[this.#headerLength++] = bytes[at++] ?? 0;
        const payload = this.#payloadLength();
        if (payload === undefined) continue;
        this.#headerLength = 0;
        this.#remaining = payload;
        if (this.#opcode === pingOpcode) wasPinged = true;
        if (this.#opcode === textOpcode) textBytes += payload;
      }
      const step = Math.min(this.#remaining, bytes.length - at);
      this.#remaining -= step;
      at += step;
      if (this.#remaining === 0 && this.#opcode === textOpcode) texts++;
    }
    return { texts, textBytes, wasPinged };
  }

  get #opcode(): number {
    return (this.#header[0] ?? 0) & 0x0f;
  }

  /** Undefined until the header is complete. */
  #payloadLength(): number | undefined {
    if (this.#headerLength < 2) return undefined;
    const short = (this.#header[1] ?? 0) & 0x7f;
    if (short < 126) return short;
    const end = short === 126 ? 4 : 10;
    if (this.#headerLength < end) return undefined;
    return this.#header.subarray(2, end).reduce((sum, byte) => sum * 256 + byte, 0);
  }
}
