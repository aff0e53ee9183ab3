import {
  allowOnceOption,
  type Answer,
  type ApprovalOption,
  cancelOption,
  type WaitingCall,
} from '../../domain/tool-call.js';
import { choicesOf, type Question, readQuestions } from './agent-questions.js';
import type { Confirmation } from './confirmation.js';
import { plainWords, yesOrNo } from './yes-or-no.js';

/**
 * Reads a text as an answer to an open question; undefined if it is not one. If several questions are open, the text must
 * start with the id of the call that it answers. Pure.
 */
export function answerInWords(text: string, open: readonly WaitingCall[]): Confirmation | undefined {
  const meant = addressee(text, open);
  const answer = meant && answerTo(meant.call, meant.words);
  return answer && { callId: meant.call.id, answer };
}

type Addressed = { readonly call: WaitingCall; readonly words: string };

function addressee(text: string, open: readonly WaitingCall[]): Addressed | undefined {
  const start = text.replace(/^[\s"'`([]+/, '');
  const [named] = open
    .flatMap((call) =>
      [call.id, ...(call.correlationId === undefined ? [] : [call.correlationId])].map((id) => ({ call, id })),
    )
    .filter(({ id }) => start.startsWith(id) && !/^[\p{L}\p{N}_-]/u.test(start.slice(id.length)))
    .toSorted((a, b) => b.id.length - a.id.length);
  if (named) return { call: named.call, words: start.slice(named.id.length).replace(/^["'`)\]]*[\s:,=]*/, '') };
  const [call, other] = open;
  return call && other === undefined ? { call, words: text } : undefined;
}

function answerTo({ approval }: WaitingCall, words: string): Answer | undefined {
  const { options, details } = approval;
  switch (details.kind) {
    case 'questions':
      return answerToAgent(readQuestions(details.questions), options, words);
    case 'plan':
      // Anything that is not a choice is feedback on the plan.
      return (
        choiceIn(options, words) ??
        (plainWords(words) === '' ? undefined : { optionId: allowOnceOption, feedback: words.trim() })
      );
    default:
      return choiceIn(options, words);
  }
}

/** A plain yes approves only this once. Anything wider has to be named. */
function choiceIn(options: readonly ApprovalOption[], words: string): Answer | undefined {
  const meaning = yesOrNo(words);
  const plain = meaning && options.find(({ id }) => id === (meaning === 'yes' ? allowOnceOption : cancelOption));
  if (plain) return { optionId: plain.id };
  const spelled = plainWords(words);
  const [option, other] = options.filter((each, index) => spellings(each, index + 1).has(spelled));
  return option && other === undefined ? { optionId: option.id } : undefined;
}

/** All ways to write an option as it is shown: its number, its id, its name, or the whole line. */
function spellings({ id, name }: ApprovalOption, number: number): ReadonlySet<string> {
  // A name may end with a key from the terminal's dialog: "No (esc)".
  const names = [name, name.replace(/\s*\([^)]*\)\s*$/, '')];
  const lines = names.flatMap((each) => [each, `${each} ${id}`, `${id} ${each}`]);
  const all = [id, String(number), `option ${number}`, ...lines, ...lines.map((line) => `${number} ${line}`)];
  return new Set(all.map(plainWords).filter((words) => words !== ''));
}

function answerToAgent(
  questions: readonly Question[],
  options: readonly ApprovalOption[],
  words: string,
): Answer | undefined {
  const dismissal = options.find(({ id }) => id === cancelOption);
  const isDismissed =
    dismissal && [dismissal.id, dismissal.name].some((each) => plainWords(each) === plainWords(words));
  if (isDismissed) return { optionId: cancelOption };
  const lines = linesFor(questions.length, words);
  const answers = questions.map((question, index) => answerToQuestion(question, lines?.[index] ?? ''));
  if (!lines || answers.length === 0 || answers.includes(undefined)) return undefined;
  return {
    optionId: allowOnceOption,
    answers: Object.fromEntries(answers.map((answer, index) => [String(index), answer ?? ''])),
  };
}

/** One text per question. A single question gets all of it; several get a line each, in order or by number. */
function linesFor(count: number, words: string): readonly string[] | undefined {
  if (count === 1) return [words];
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  if (lines.length !== count) return undefined;
  const numbered = new Map(
    lines.flatMap((line) => {
      const [, number, rest] = /^\s*(\d+)\s*[.:)]\s*(.+)$/.exec(line) ?? [];
      return rest === undefined ? [] : [[Number(number), rest] as const];
    }),
  );
  if (numbered.size === 0) return lines;
  const inOrder = lines.map((_, index) => numbered.get(index + 1));
  return inOrder.every((line) => line !== undefined) ? inOrder : undefined;
}

/** A choice by its number or label, or free text. */
function answerToQuestion(question: Question, words: string): string | undefined {
  const choices = choicesOf(question);
  const labels = choices.map(({ label }) => label);
  const labelOf = (each: string): string | undefined => {
    const spelled = plainWords(each);
    const [found, other] = labels.filter((label, index) => {
      const number = String(index + 1);
      return [label, number, `option ${number}`, `${number} ${label}`].some((way) => plainWords(way) === spelled);
    });
    return other === undefined ? found : undefined;
  };
  const chosen = labelOf(words);
  if (chosen !== undefined) return chosen;
  if (question.type === 'yesno') {
    const meaning = yesOrNo(words);
    return meaning && { yes: 'Yes', no: 'No' }[meaning];
  }
  const several = question.multiSelect === true ? words.split(/[,;\n]/).map(labelOf) : [undefined];
  if (several.every((label) => label !== undefined)) return several.join(', ');
  // A number that matches no choice is a slip, not an answer.
  const isSlip = labels.length > 0 && /^\s*\d+\s*[.)]?\s*$/.test(words);
  return isSlip || plainWords(words) === '' ? undefined : words.trim();
}
