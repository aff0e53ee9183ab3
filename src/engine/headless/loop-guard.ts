const sameCalls = 5;
const piece = 60;
const repeats = 12;

/** Notices a model that goes round in circles: the same tool call again and again, or the same words. */
export class LoopGuard {
  #lastCall = '';
  #count = 0;
  #tail = '';

  /** Whether this call is one too many. */
  isLoopingCall(name: string, args: unknown): boolean {
    const call = `${name} ${JSON.stringify(args)}`;
    this.#count = call === this.#lastCall ? this.#count + 1 : 1;
    this.#lastCall = call;
    return this.#count >= sameCalls;
  }

  /** Whether the text has come to repeat one passage. Cost does not depend on how long the text is. */
  isLoopingText(chunk: string): boolean {
    this.#tail = (this.#tail + chunk).slice(-piece * repeats * 4);
    const end = this.#tail.slice(-piece);
    if (end.length < piece || new Set(end).size < 4) return false;
    const previous = this.#tail.lastIndexOf(end, this.#tail.length - piece - 1);
    if (previous < 0) return false;
    const period = this.#tail.length - piece - previous;
    const needed = period * repeats;
    if (needed > this.#tail.length) return false;
    const passage = this.#tail.slice(-period);
    return this.#tail.slice(-needed) === passage.repeat(repeats);
  }

  /** Code and lists repeat themselves honestly when tools run in between. */
  reset(): void {
    this.#tail = '';
  }
}
