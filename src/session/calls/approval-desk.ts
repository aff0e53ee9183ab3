import { AppError } from '../../domain/errors.js';
import { type Origin, originText } from '../../domain/events.js';
import { type Answer, cancelOption, type Resolution, type ToolCall, type WaitingCall } from '../../domain/tool-call.js';
import { RecentMap } from '../../util/recent-map.js';
import { isSameAnswer, answerKeyOf } from './answer-key.js';
import type { AnsweredCall } from './answered-calls.js';
import { messageIdUsed } from './sent-messages.js';

/** How many answers are remembered, to tell late clients who answered first. */
const remembered = 1000;

/** A message that may answer a question in words. */
export type Words = { readonly messageId: string; readonly text: string };

/**
 * Holds the tool calls that wait for an answer. The first answer removes its call
 * in the same tick, so a second answer can never find it.
 */
export class ApprovalDesk {
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #resolved = new RecentMap<string, Resolution>(remembered);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  put(call: WaitingCall): void {
    this.#waiting.set(call.id, call);
    this.#resolved.delete(call.id);
  }

  /**
   * Takes a call by its id or correlation id; undefined if the same answer has already taken it. Throws
   * `unknown-tool-call`, `already-answered` or `bad-request`.
   */
  take(id: string, answer: Answer, by: Origin): { call: WaitingCall; resolution: Resolution } | undefined {
    const call = this.#find(id);
    if (call) {
      checkAnswer(call, answer);
      return { call, resolution: this.#resolve(call, answer, by) };
    }
    const earlier = this.#resolved.get(id);
    if (earlier && isSameAnswer(answer, earlier)) return undefined;
    throw whyGone(id, earlier);
  }

  /** The id of the call that this message answered, if any. Throws `message-id-used` if its text was different. */
  answeredIn(message: Words): string | undefined {
    return answeredIn(message, this.#resolved);
  }

  /** Restores the answer to a call from an earlier run. */
  recall(call: AnsweredCall): void {
    this.#remember(call, call.resolution);
  }

  /** Takes a call for the engine's own terminal or because the engine moved on; undefined if it no longer waits. */
  tryTake(callId: string, optionId: string, by: Origin): { call: WaitingCall; resolution: Resolution } | undefined {
    const call = this.#waiting.get(callId);
    return call && { call, resolution: this.#resolve(call, { optionId }, by) };
  }

  wasAnswered(callId: string): boolean {
    return this.#resolved.has(callId);
  }

  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting.values()];
  }

  #find(id: string): WaitingCall | undefined {
    return this.#waiting.get(id) ?? [...this.#waiting.values()].find((call) => call.correlationId === id);
  }

  #resolve(call: WaitingCall, answer: Answer, by: Origin): Resolution {
    const key = answerKeyOf(answer);
    const resolution = { optionId: answer.optionId, by, at: this.#now().toISOString(), ...(key ? { key } : {}) };
    this.#waiting.delete(call.id);
    this.#remember(call, resolution);
    return resolution;
  }

  #remember({ id, correlationId }: Pick<ToolCall, 'id' | 'correlationId'>, resolution: Resolution): void {
    this.#resolved.set(id, resolution);
    if (correlationId !== undefined) this.#resolved.set(correlationId, resolution);
  }
}

/** The id of the call among these that this message answered, if any. Throws `message-id-used` if its text was different. */
export function answeredIn(
  { messageId, text }: Words,
  calls: Iterable<readonly [id: string, Resolution]>,
): string | undefined {
  const isMeant = ({ key }: Resolution): boolean => key?.isMessage === true && key.answerId === messageId;
  const [id, resolution] = [...calls].find(([, each]) => isMeant(each)) ?? [];
  if (!resolution) return undefined;
  if (isSameAnswer({ ...resolution, answerId: messageId, words: text }, resolution)) return id;
  throw messageIdUsed(messageId, { callId: id });
}

function whyGone(id: string, earlier: Resolution | undefined): AppError {
  if (!earlier) return new AppError('unknown-tool-call', `no tool call "${id}" is waiting for an answer`);
  const { optionId, by, at } = earlier;
  return new AppError('already-answered', `tool call "${id}" was answered "${optionId}" by ${originText(by)}`, {
    details: { callId: id, optionId, resolvedBy: by, at },
  });
}

function checkAnswer(call: WaitingCall, { optionId, newContent, answers }: Answer): void {
  const { options, details } = call.approval;
  if (!options.some((option) => option.id === optionId)) {
    throw new AppError('bad-request', `"${optionId}" is not an option of tool call "${call.id}"`, {
      details: { options: options.map((option) => option.id) },
    });
  }
  if (newContent !== undefined && details.kind !== 'edit') {
    throw new AppError('bad-request', `tool call "${call.id}" is not a file edit, so it takes no new content`);
  }
  if (newContent !== undefined && details.kind === 'edit' && details.isReadOnly) {
    throw new AppError('bad-request', `the agent of tool call "${call.id}" writes only its own version of the file`);
  }
  if (details.kind === 'questions' && optionId !== cancelOption && answers === undefined) {
    throw new AppError('bad-request', `tool call "${call.id}" asks questions: send answers, keyed by question number`);
  }
}
