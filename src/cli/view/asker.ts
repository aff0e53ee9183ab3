import { allowOnceOption, cancelOption } from '../../domain/tool-call.js';
import type { AnswerDetails } from '../../client/session.js';
import type { OpenQuestion } from '../../client/wire-tool-call.js';
import { reveal, revealLine } from '../../util/reveal.js';
import { chooseOption, optionsOf } from './question-lines.js';

/** What a typed line means for the open question. */
export type Reading =
  | { readonly type: 'answer'; readonly call: OpenQuestion; readonly optionId: string; readonly details: AnswerDetails }
  /** More input is needed before the question can be answered. */
  | { readonly type: 'more' }
  | { readonly type: 'unclear'; readonly hint: string };

/** A number typed within this time after the question changed was meant for the previous one. */
const graceMs = 700;

/** Walks a person through the open question, and through the agent's own questions inside it. */
export class Asker {
  readonly #now: () => number;
  #call: OpenQuestion | undefined;
  #optionId: string | undefined;
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
    if (keyOf(next) === keyOf(this.#call)) return false;
    this.#isReplacement = this.#now() - this.#changedAt < graceMs || this.#call !== undefined;
    this.#call = next;
    this.#optionId = undefined;
    this.#answers = [];
    this.#changedAt = this.#now();
    return true;
  }

  /** The prompt shown before the input line. */
  get prompt(): string {
    if (!this.#call) return '> ';
    const inner = this.#inner;
    if (!inner) return `answer 1-${optionsOf(this.#call).length}> `;
    const choices = inner.choices.map((choice, index) => `${index + 1}) ${revealLine(choice)}`).join('  ');
    return `${revealLine(inner.text)}${choices === '' ? '' : ` ${choices}`}> `;
  }

  read(line: string): Reading {
    const call = this.#call;
    if (!call) return { type: 'unclear', hint: 'no question is open' };
    if (this.#isReplacement && this.#now() - this.#changedAt < graceMs)
      return { type: 'unclear', hint: 'the question has just changed: look at it and answer again' };
    const inner = this.#inner;
    if (inner) return this.#readInner(call, inner, line);
    const option = chooseOption(call, line);
    if (option) {
      this.#optionId = option.id;
      return this.#inner ? { type: 'more' } : this.#answer(call, option.id);
    }
    if (planOf(call)) return this.#answer(call, allowOnceOption, { feedback: line });
    return { type: 'unclear', hint: `answer with a number from 1 to ${optionsOf(call).length} first` };
  }

  #readInner(call: OpenQuestion, { choices }: Inner, line: string): Reading {
    const choice = /^\d+$/.test(line) ? choices[Number(line) - 1] : undefined;
    this.#answers.push(choice ?? line);
    if (this.#inner) return { type: 'more' };
    const answers = Object.fromEntries(this.#answers.map((answer, index) => [String(index), answer]));
    return this.#answer(call, this.#optionId ?? '', { answers });
  }

  /** Resets the state, so a retry after a mistake starts from the beginning. */
  #answer(call: OpenQuestion, optionId: string, details: AnswerDetails = {}): Reading {
    this.#optionId = undefined;
    this.#answers = [];
    return { type: 'answer', call, optionId, details };
  }

  /** The agent's next unanswered question. */
  get #inner(): Inner | undefined {
    if (!this.#call || this.#optionId === undefined || this.#optionId === cancelOption) return undefined;
    return innerOf(this.#call)[this.#answers.length];
  }
}

type Inner = { readonly text: string; readonly choices: readonly string[] };

function innerOf({ confirmation_request: { details } }: OpenQuestion): Inner[] {
  const questions = 'generic_details' in details ? (details.generic_details.questions ?? []) : [];
  return questions.map((question) => ({
    text: reveal(textOf(question, 'question')),
    choices: listOf(question).map((option) => textOf(option, 'label')),
  }));
}

function planOf({ confirmation_request: { details } }: OpenQuestion): boolean {
  return 'generic_details' in details && details.generic_details.plan_path !== undefined;
}

/** The same call can ask twice; the second question then has another id. */
function keyOf(call: OpenQuestion | undefined): string | undefined {
  return call && `${call.tool_call_id} ${call.metadata.correlationId ?? ''}`;
}

function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}

function listOf(question: unknown): unknown[] {
  const found: unknown = typeof question === 'object' && question !== null ? Reflect.get(question, 'options') : [];
  return Array.isArray(found) ? found : [];
}
