import type { Origin } from '../../domain/events.js';
import {
  allowOnceOption,
  type Answer,
  cancelOption,
  type Resolution,
  type ToolCall,
  type WaitingCall,
} from '../../domain/tool-call.js';
import { afterAnswer, withoutState } from './after-answer.js';
import type { AnsweredCall } from './answered-calls.js';
import { ApprovalDesk, type Words } from './approval-desk.js';
import { CallBook } from './call-book.js';
import { LiveOutput } from './live-output.js';

/** The answers to questions that nobody needs to be asked. */
export const allowing: Answer = { optionId: allowOnceOption };
export const denying: Answer = { optionId: cancelOption };

export type ToolCallsOptions = {
  readonly publish: (call: ToolCall) => void;
  /** The answer to a call that asks nobody, and whose it is; undefined if somebody must be asked. */
  readonly settledBy: (call: WaitingCall) => { readonly answer: Answer; readonly by: Origin } | undefined;
  readonly now: () => Date;
};

/** An answer that the engine waits for. */
export type GivenAnswer = { readonly callId: string; readonly answer: Answer };

/** The tool calls of the running turn: their updates, their open questions and their live output. */
export class ToolCalls {
  readonly #desk: ApprovalDesk;
  readonly #book = new CallBook();
  readonly #liveOutput: LiveOutput;
  readonly #options: ToolCallsOptions;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#desk = new ApprovalDesk(options.now);
    this.#liveOutput = new LiveOutput(options.publish);
  }

  get waiting(): readonly WaitingCall[] {
    return this.#desk.waiting;
  }

  /**
   * Handles an update from the engine. `stopper`: who is recorded if the engine continues with a call that nobody answered.
   * Returns the answers to questions that were settled before anyone was asked.
   */
  update(update: ToolCall, stopper: Origin): readonly GivenAnswer[] {
    if (update.status !== 'waiting' && update.status !== 'pending') this.#withdraw(update.id, stopper);
    const isKnown = this.#book.get(update.id) !== undefined;
    const given: GivenAnswer[] = [];
    for (const call of this.#book.accept(update)) {
      const settled = call.status === 'waiting' ? this.#options.settledBy(call) : undefined;
      // If nobody is asked, the call is published as one that needs no permission.
      if (!settled) this.#liveOutput.push(call);
      else if (!isKnown) this.#liveOutput.push({ ...withoutState(call), status: 'pending' });
      if (call.status === 'waiting') this.#desk.put(call);
      if (settled) given.push(...this.answer(call.id, settled.answer, settled.by));
    }
    return given;
  }

  /** The first answer wins; a later one throws and says who was first. Returns nothing if the first one is repeated. */
  answer(id: string, answer: Answer, by: Origin): readonly GivenAnswer[] {
    const taken = this.#desk.take(id, answer, by);
    if (!taken) return [];
    this.#publishAnswer(taken.call, taken.resolution);
    return [{ callId: taken.call.id, answer }];
  }

  /** The id of the call that this message answered in words, if any. Throws `message-id-used` if its text was different. */
  answeredIn(message: Words): string | undefined {
    return this.#desk.answeredIn(message);
  }

  /** Answers open questions that are settled by now. */
  settle(): readonly GivenAnswer[] {
    return this.waiting.flatMap((call) => {
      const settled = this.#options.settledBy(call);
      return settled ? this.answer(call.id, settled.answer, settled.by) : [];
    });
  }

  /** Answers from the engine's own terminal. False if someone else answered first. */
  tryAnswer(callId: string, optionId: string, by: Origin): boolean {
    const taken = this.#desk.tryTake(callId, optionId, by);
    if (taken) this.#publishAnswer(taken.call, taken.resolution);
    // A question that the hub never saw concerns only the engine.
    return taken !== undefined || !this.#desk.wasAnswered(callId);
  }

  /** Restores an answer from an earlier run. */
  recallAnswer(call: AnsweredCall): void {
    this.#desk.recall(call);
  }

  /** Restores a call from an earlier run; it was already published. */
  recall(call: ToolCall): void {
    this.#book.recall(call);
    if (call.status === 'waiting') this.#desk.put(call);
  }

  /** Cancels every unfinished call, because the turn is over. */
  end(stopper: Origin): void {
    for (const call of this.#book.unfinished) this.update({ ...withoutState(call), status: 'cancelled' }, stopper);
  }

  clear(): void {
    this.#book.clear();
  }

  stopLiveOutput(): void {
    this.#liveOutput.clear();
  }

  #withdraw(callId: string, stopper: Origin): void {
    const known = this.#book.get(callId);
    const gone = this.#desk.tryTake(callId, cancelOption, stopper);
    if (gone && known) this.#book.resolve({ ...withoutState(known), status: 'pending' }, gone.resolution);
  }

  #publishAnswer(call: WaitingCall, resolution: Resolution): void {
    this.#liveOutput.push(this.#book.resolve(afterAnswer(call, resolution.optionId), resolution));
  }
}
