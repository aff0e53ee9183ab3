import type { ToolCall } from '../../domain/tool-call.js';

/** Every update repeats the whole output (RFC 3.2), so both its length and its rate are limited. */
const maxLength = 64 * 1024;
const minIntervalMs = 100;

/** Publishes a call's live output at most every 100 ms and keeps only its end. */
export class LiveOutput {
  readonly #publish: (call: ToolCall) => void;
  readonly #held = new Map<string, { latest: ToolCall | undefined; timer: NodeJS.Timeout }>();

  constructor(publish: (call: ToolCall) => void) {
    this.#publish = publish;
  }

  push(call: ToolCall): void {
    const held = this.#held.get(call.id);
    if (call.status !== 'executing') {
      // Held output no longer matters: a finished call carries its result.
      if (held) this.#drop(call.id, held.timer);
      this.#publish(call);
    } else if (held) held.latest = shortened(call);
    else {
      this.#publish(shortened(call));
      this.#wait(call.id);
    }
  }

  clear(): void {
    for (const [id, held] of this.#held) this.#drop(id, held.timer);
  }

  #wait(id: string): void {
    const timer = setTimeout(() => this.#release(id), minIntervalMs);
    timer.unref();
    this.#held.set(id, { latest: undefined, timer });
  }

  #release(id: string): void {
    const latest = this.#held.get(id)?.latest;
    this.#held.delete(id);
    if (!latest) return;
    this.#publish(latest);
    this.#wait(id);
  }

  #drop(id: string, timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#held.delete(id);
  }
}

function shortened(call: Extract<ToolCall, { status: 'executing' }>): ToolCall {
  if (call.liveOutput === undefined || call.liveOutput.length <= maxLength) return call;
  return { ...call, liveOutput: `…${call.liveOutput.slice(-maxLength)}` };
}
