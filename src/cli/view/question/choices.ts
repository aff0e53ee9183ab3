import { allowOnceOption, cancelOption } from '../../../domain/tool-call.js';
import type { OpenQuestion } from '../../../client/wire-tool-call.js';
import { revealLine } from '../../../util/text/reveal.js';

/** One way to answer a question. Its number is its place in the list. */
export type AnswerChoice = {
  readonly name: string;
  /** A letter that chooses it too. */
  readonly key?: 'y' | 'a' | 'e' | 'n';
  /** `edit`: the user changes the proposed file first. */
  readonly option: { readonly id: string } | 'edit';
};

/**
 * The choices of a question, numbered as in the terminal: where its dialog offers an external editor for a file, there is one
 * here too.
 */
export function answerChoices({ confirmation_request: { options, details } }: OpenQuestion): readonly AnswerChoice[] {
  const always = options.find(({ id }) => id.startsWith('proceed_always'));
  const choices = options.map(({ id, name }): AnswerChoice => {
    const key = id === allowOnceOption ? 'y' : id === cancelOption ? 'n' : id === always?.id ? 'a' : undefined;
    return { name: revealLine(name), option: { id }, ...(key && { key }) };
  });
  const mayEdit = 'file_edit_details' in details && details.file_edit_details.read_only !== true;
  const edit: AnswerChoice = { name: 'Change it in your editor first', key: 'e', option: 'edit' };
  const isNo = ({ key }: AnswerChoice): boolean => key === 'n';
  return mayEdit ? [...choices.filter((each) => !isNo(each)), edit, ...choices.filter(isNo)] : choices;
}

const letters: Readonly<Record<string, string>> = { yes: 'y', no: 'n', always: 'a', edit: 'e' };

/** Finds a choice by its number, its letter or the id of its option. */
export function choose(call: OpenQuestion, typed: string): AnswerChoice | undefined {
  const choices = answerChoices(call);
  if (/^\d+$/.test(typed)) return choices[Number(typed) - 1];
  const word = typed.toLowerCase();
  const key = Object.hasOwn(letters, word) ? letters[word] : word;
  return choices.find((choice) => choice.key === key || (choice.option !== 'edit' && choice.option.id === typed));
}

/** `y/a/e/n or 1-4`, for the prompt. */
export function answerKeys(call: OpenQuestion): string {
  const choices = answerChoices(call);
  const keys = choices.flatMap(({ key }) => key ?? []);
  return [...(keys.length > 0 ? [keys.join('/')] : []), `1-${choices.length}`].join(' or ');
}
