import type { Origin } from '../domain/events.js';
import { type Answer, cancelOption, type Resolution, type ToolCall, type WaitingCall } from '../domain/tool-call.js';
import { afterAnswer, withoutState } from './after-answer.js';
import { ApprovalDesk } from './approval-desk.js';
import { CallBook } from './call-book.js';
import { LiveOutput } from './live-output.js';

/** The tool calls of the running turn: what is news of them, which wait for an answer, what they print. */
export class ToolCalls {
  readonly #desk: ApprovalDesk;
  readonly #book = new CallBook();
  readonly #liveOutput: LiveOutput;

  constructor(publish: (call: ToolCall) => void, now: () => Date) {
    this.#desk = new ApprovalDesk(now);
    this.#liveOutput = new LiveOutput(publish);
  }

  get waiting(): readonly WaitingCall[] {
    return this.#desk.waiting;
  }

  /** An update of the engine. `stopper`: who is to blame when it goes on with a call that nobody answered. */
  update(update: ToolCall, stopper: Origin): void {
    if (update.status !== 'waiting' && update.status !== 'pending') this.#withdraw(update.id, stopper);
    for (const call of this.#book.accept(update)) {
      if (call.status === 'waiting') this.#desk.put(call);
      this.#liveOutput.push(call);
    }
  }

  /** The first answer wins; a later one throws and says who was first. */
  answer(id: string, answer: Answer, by: Origin): WaitingCall {
    const { call, resolution } = this.#desk.take(id, answer, by);
    this.#publishAnswer(call, resolution);
    return call;
  }

  /** The engine's own terminal wants to answer. False: somebody else was faster. */
  claim(callId: string, optionId: string, by: Origin): boolean {
    const claimed = this.#desk.claim(callId, optionId, by);
    if (claimed) this.#publishAnswer(claimed.call, claimed.resolution);
    // A question the hub never saw is the engine's own business.
    return claimed !== undefined || !this.#desk.wasAnswered(callId);
  }

  /** Takes up a call of an earlier life; it was told before. */
  recall(call: ToolCall): void {
    this.#book.recall(call);
    if (call.status === 'waiting') this.#desk.put(call);
  }

  /** The turn is over, and with it every call that was not. */
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
    const gone = this.#desk.claim(callId, cancelOption, stopper);
    if (gone && known) this.#book.resolve({ ...withoutState(known), status: 'pending' }, gone.resolution);
  }

  #publishAnswer(call: WaitingCall, resolution: Resolution): void {
    this.#liveOutput.push(this.#book.resolve(afterAnswer(call, resolution.optionId), resolution));
  }
}
