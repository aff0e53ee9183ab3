import { allowOnceOption, cancelOption } from '../../../domain/tool-call.js';
import type { AnswerDetails } from '../../../client/session.js';
import type { OpenQuestion } from '../../../client/wire-tool-call.js';
import { agentQuestions, readAnswer } from './agent-questions.js';
import { answerChoices, choose, answerKeys } from './choices.js';

/** What a typed text means for the open question. */
export type Reading =
  | { readonly type: 'answer'; readonly call: OpenQuestion; readonly optionId: string; readonly details: AnswerDetails }
  /** No, and this is what to do instead. */
  | { readonly type: 'instead'; readonly call: OpenQuestion; readonly prompt: string }
  /** The user wants to change the proposed file. */
  | { readonly type: 'edit'; readonly call: OpenQuestion }
  /** More input is needed before the question can be answered. */
  | { readonly type: 'more' }
  | { readonly type: 'unclear'; readonly hint: string };

/** An answer typed within this time after the question changed was meant for the previous one. */
const graceMs = 700;

/** Walks a person through the open question, and through the agent's own questions inside it. */
export class Asker {
  readonly #now: () => number;
  #call: OpenQuestion | undefined;
  #answers: string[] = [];
  #changedAt = -Infinity;
  #isReplacement = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#call !== undefined;
  }

  /** Updates the open question; true if it changed. */
  update([next]: readonly OpenQuestion[]): boolean {
    if ((next && questionKey(next)) === (this.#call && questionKey(this.#call))) return false;
    this.#isReplacement = this.#now() - this.#changedAt < graceMs || this.#call !== undefined;
    this.#call = next;
    this.#answers = [];
    this.#changedAt = this.#now();
    return true;
  }

  /** The prompt shown before the input line. */
  get prompt(): string {
    if (!this.#call) return '> ';
    const { length } = agentQuestions(this.#call);
    if (length > 0) return length === 1 ? 'answer> ' : `answer ${this.#answers.length + 1}/${length}> `;
    return `${answerKeys(this.#call)}> `;
  }

  read(text: string): Reading {
    const call = this.#call;
    if (!call) return { type: 'unclear', hint: 'no question is open' };
    if (this.#isReplacement && this.#now() - this.#changedAt < graceMs)
      return { type: 'unclear', hint: 'the question has just changed: look at it and answer again' };
    if (agentQuestions(call).length > 0) return this.#readAnswer(call, text);
    const choice = choose(call, text);
    if (choice?.option === 'edit') return { type: 'edit', call };
    if (choice) return { type: 'answer', call, optionId: choice.option.id, details: {} };
    if (/^(?:\d+|[a-z]|\/.*)$/i.test(text)) return { type: 'unclear', hint: `answer with ${answerKeys(call)}` };
    if (isPlan(call)) return { type: 'answer', call, optionId: allowOnceOption, details: { feedback: text } };
    if (hasNo(call)) return { type: 'instead', call, prompt: text };
    return { type: 'unclear', hint: `answer with ${answerKeys(call)}` };
  }

  /** Esc was pressed. */
  escape(): Reading {
    if (this.#call && hasNo(this.#call))
      return { type: 'answer', call: this.#call, optionId: cancelOption, details: {} };
    return { type: 'unclear', hint: 'this question cannot be dismissed' };
  }

  #readAnswer(call: OpenQuestion, line: string): Reading {
    const questions = agentQuestions(call);
    const question = questions[this.#answers.length];
    if (question) this.#answers.push(readAnswer(question, line));
    if (this.#answers.length < questions.length) return { type: 'more' };
    const answers = Object.fromEntries(this.#answers.map((answer, index) => [String(index), answer]));
    // A retry after a mistake starts from the beginning.
    this.#answers = [];
    return { type: 'answer', call, optionId: allowOnceOption, details: { answers } };
  }
}

function hasNo(call: OpenQuestion): boolean {
  return answerChoices(call).some(({ option }) => option !== 'edit' && option.id === cancelOption);
}

function isPlan({ confirmation_request: { details } }: OpenQuestion): boolean {
  return 'generic_details' in details && details.generic_details.plan_path !== undefined;
}

/** The same call can ask twice; the second question then has another id. */
export function questionKey({ tool_call_id: id, metadata: { correlationId = '' } }: OpenQuestion): string {
  return `${id} ${correlationId}`;
}
