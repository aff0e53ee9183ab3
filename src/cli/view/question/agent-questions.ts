import type { OpenQuestion } from '../../../client/wire-tool-call.js';
import { reveal, revealLine } from '../../../util/text/reveal.js';

/** One of the questions that the agent asks the user. */
export type AgentQuestion = {
  readonly text: string;
  readonly choices: readonly { readonly label: string; readonly description: string }[];
  readonly takesSeveral: boolean;
};

/** The agent's questions in the order of their numbers. Empty for any other kind of question. */
export function agentQuestions({ confirmation_request: { details } }: OpenQuestion): AgentQuestion[] {
  const questions = 'generic_details' in details ? (details.generic_details.questions ?? []) : [];
  return questions.map((question) => ({
    text: reveal(textOf(question, 'question')),
    choices: choicesOf(question),
    takesSeveral: fieldOf(question, 'multiSelect') === true,
  }));
}

/** Reads a typed line as an answer: a number is a choice, anything else is free text. */
export function readAnswer({ choices, takesSeveral }: AgentQuestion, line: string): string {
  const numbers = takesSeveral ? line.split(/[\s,]+/).filter((word) => word !== '') : [line];
  const chosen = numbers.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1]?.label : undefined));
  return chosen.every((label) => label !== undefined) ? chosen.join(', ') : line;
}

/** The lines that show the question and its choices. */
export function agentQuestionLines({ text, choices, takesSeveral }: AgentQuestion): string[] {
  return [
    ...`${text}${takesSeveral ? ' (several numbers are possible)' : ''}`.split('\n'),
    ...choices.map(({ label, description }, index) => {
      const about = description === '' ? '' : `: ${description}`;
      return `  ${index + 1}) ${revealLine(label)}${revealLine(about)}`;
    }),
  ];
}

function choicesOf(question: unknown): AgentQuestion['choices'] {
  const options = fieldOf(question, 'options');
  const listed = Array.isArray(options) ? options : [];
  if (listed.length === 0 && fieldOf(question, 'type') === 'yesno')
    return ['Yes', 'No'].map((label) => ({ label, description: '' }));
  return listed.map((option: unknown) => ({
    label: textOf(option, 'label'),
    description: textOf(option, 'description'),
  }));
}

function textOf(value: unknown, name: string): string {
  const found = fieldOf(value, name);
  return typeof found === 'string' ? found : '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
