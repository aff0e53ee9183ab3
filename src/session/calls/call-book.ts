import { isDeepStrictEqual } from 'node:util';
import { isFinal, type Resolution, type ToolCall } from '../../domain/tool-call.js';
import { withoutState } from './after-answer.js';

/**
 * The tool calls of the running turn. Engines repeat updates and keep reporting a call
 * as waiting for a while after its answer. The book drops updates that are not new and
 * remembers who answered: a call only moves forward. Every call begins once: as waiting
 * with its question, or as pending if it needs no permission.
 */
export class CallBook {
  readonly #calls = new Map<string, ToolCall>();
  /** The engine's id of its last question about each call. */
  readonly #questions = new Map<string, string | undefined>();
  /** Calls from an earlier run whose question the engine has not asked again yet. */
  readonly #resumed = new Set<string>();

  /** Returns what to publish for an update: nothing if it is not new. */
  accept(update: ToolCall): readonly ToolCall[] {
    const known = this.#calls.get(update.id);
    const asks = update.status === 'waiting';
    const isNewQuestion = asks && this.#isNewQuestion(update);
    if (known && !isNews(known, update, isNewQuestion)) return [];
    const call = this.#keep(asks ? update : withResolution(update, known?.resolution));
    // An engine reports a call once it knows whether to ask. A call that needs no permission may already be running.
    const isPending = asks || update.status === 'pending';
    return known || isPending ? [call] : [{ ...withoutState(call), status: 'pending' }, call];
  }

  /** Restores a call from an earlier run. */
  recall(call: ToolCall): void {
    this.#keep(call);
    if (call.status === 'waiting') this.#resumed.add(call.id);
  }

  /** Records an answer: the call continues as `next` and keeps the resolution. */
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
    this.#questions.clear();
    this.#resumed.clear();
  }

  /** After a restart the engine repeats its question under a new id. Clients already know that question, answered or not. */
  #isNewQuestion({ id, correlationId }: ToolCall): boolean {
    const isNew = !this.#resumed.delete(id) && this.#questions.get(id) !== correlationId;
    this.#questions.set(id, correlationId);
    return isNew;
  }

  #keep(call: ToolCall): ToolCall {
    keepCall(this.#calls, (kept) => kept, call);
    return call;
  }
}

/** Keeps calls in the order of their questions: a call that starts to wait moves behind those already waiting. */
export function keepCall<Kept>(calls: Map<string, Kept>, callOf: (kept: Kept) => ToolCall, next: Kept): void {
  const { id, status } = callOf(next);
  const known = calls.get(id);
  if (status === 'waiting' && known !== undefined && callOf(known).status !== 'waiting') calls.delete(id);
  calls.set(id, next);
}

function isNews(known: ToolCall, update: ToolCall, isNewQuestion: boolean): boolean {
  if (isFinal(known)) return false;
  switch (update.status) {
    case 'pending':
      return false;
    case 'waiting':
      if (known.status === 'waiting') return !isDeepStrictEqual(known.approval, update.approval);
      return isNewQuestion || known.status === 'pending';
    case 'executing':
      return known.status !== 'executing' || known.liveOutput !== update.liveOutput;
    default:
      return true;
  }
}

function withResolution(call: ToolCall, resolution: Resolution | undefined): ToolCall {
  return resolution === undefined ? call : { ...call, resolution };
}
