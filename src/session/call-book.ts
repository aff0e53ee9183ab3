import { isFinal, type Resolution, type ToolCall } from '../domain/tool-call.js';

/**
 * The tool calls of the running turn. Engines repeat themselves and report a call
 * as waiting for a while after it was answered; the book lets only news through and
 * keeps who answered, so that a call moves forward and never back.
 */
export class CallBook {
  readonly #calls = new Map<string, ToolCall>();

  /** The update to publish, or undefined when it says nothing new. */
  accept(update: ToolCall): ToolCall | undefined {
    const known = this.#calls.get(update.id);
    if (known && !isNews(known, update)) return undefined;
    const asksAgain = update.status === 'waiting';
    return this.#keep(asksAgain ? update : withResolution(update, known?.resolution));
  }

  /** Records an answer: the call goes on as `next` and carries the resolution from now on. */
  resolve(next: ToolCall, resolution: Resolution): ToolCall {
    return this.#keep(withResolution(next, resolution));
  }

  get(id: string): ToolCall | undefined {
    return this.#calls.get(id);
  }

  get unfinished(): readonly ToolCall[] {
    return [...this.#calls.values()].filter((call) => !isFinal(call));
  }

  clear(): void {
    this.#calls.clear();
  }

  #keep(call: ToolCall): ToolCall {
    keepCall(this.#calls, call);
    return call;
  }
}

/** Keeps calls in the order of their questions: one that begins to wait goes behind those that wait already. */
export function keepCall(calls: Map<string, ToolCall>, call: ToolCall): void {
  if (call.status === 'waiting' && calls.get(call.id)?.status !== 'waiting') calls.delete(call.id);
  calls.set(call.id, call);
}

function isNews(known: ToolCall, update: ToolCall): boolean {
  if (isFinal(known)) return false;
  switch (update.status) {
    case 'pending':
      return false;
    case 'waiting':
      return known.correlationId !== update.correlationId || known.status === 'pending';
    case 'executing':
      return known.status !== 'executing' || known.liveOutput !== update.liveOutput;
    default:
      return true;
  }
}

function withResolution(call: ToolCall, resolution: Resolution | undefined): ToolCall {
  return resolution === undefined ? call : { ...call, resolution };
}
