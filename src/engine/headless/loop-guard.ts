const sameCalls = 5;
const piece = 60;
const repeats = 12;
/** Text is checked once per this many characters, because a loop does not stop by itself. */
const checkEvery = 240;

/** Detects a model that loops: the same tool call again and again, or the same text. */
export class LoopGuard {
  #lastCall = '';
  #count = 0;
  #tail = '';
  #unchecked = 0;

  /** Whether this call is one repetition too many. */
  isLoopingCall(name: string, args: unknown): boolean {
    const call = `${name} ${JSON.stringify(args)}`;
    this.#count = call === this.#lastCall ? this.#count + 1 : 1;
    this.#lastCall = call;
    return this.#count >= sameCalls;
  }

  /** Whether the text keeps repeating one passage. The cost does not depend on the length of the text. */
  isLoopingText(chunk: string): boolean {
    this.#tail += chunk;
    this.#unchecked += chunk.length;
    if (this.#unchecked < checkEvery) return false;
    this.#unchecked = 0;
    this.#tail = this.#tail.slice(-piece * repeats * 4);
    const end = this.#tail.slice(-piece);
    const previous = this.#tail.lastIndexOf(end, this.#tail.length - piece - 1);
    if (previous < 0 || new Set(end).size < 4) return false;
    const period = this.#tail.length - piece - previous;
    const needed = period * repeats;
    if (needed > this.#tail.length) return false;
    const passage = this.#tail.slice(-period);
    return this.#tail.slice(-needed) === passage.repeat(repeats);
  }

  /** Forgets the text before a tool call: code and lists may legitimately repeat when tools run in between. */
  reset(): void {
    this.#tail = '';
  }
}
