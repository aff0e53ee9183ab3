import type { ElicitationPropertySchema, ElicitationSchema, PermissionOption } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import { allowOnceOption, type Answer } from '../../domain/tool-call.js';
import { cancelOption } from '../../domain/tool-call.js';
import { choicesOf, type Question } from '../shared/agent-questions.js';
import { defined } from '../../util/defined.js';

/** A form with one field per question, named by its number. */
export function toForm(questions: readonly Question[]): ElicitationSchema {
  const fields = questions.map((question, index) => [String(index), toField(question)] as const);
  return { type: 'object', properties: Object.fromEntries(fields), required: fields.map(([name]) => name) };
}

function toField(question: Question): ElicitationPropertySchema {
  const labels = { title: question.header ?? question.question, description: question.question };
  const choices = choicesOf(question).map(({ label, description }) => ({
    const: label,
    title: label,
    ...defined({ description }),
  }));
  if (choices.length === 0) return { type: 'string', ...labels };
  if (question.multiSelect === true) return { type: 'array', ...labels, items: { anyOf: choices } };
  return { type: 'string', ...labels, oneOf: choices };
}

/** A client's response to a form, in any version of ACP. */
export type FormResponse = { readonly action: string; readonly content?: unknown };

/** The answer in a form that was filled in or declined; undefined if it was only dismissed. */
export function fromForm(response: FormResponse): Answer | undefined {
  if (response.action === 'decline') return { optionId: cancelOption };
  if (response.action !== 'accept') return undefined;
  const content = z.record(z.string(), z.unknown()).catch({}).parse(response.content);
  return {
    optionId: allowOnceOption,
    answers: Object.fromEntries(Object.entries(content).map(([name, value]) => [name, toText(value)])),
  };
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

/** For clients without forms: each choice becomes a permission option. Undefined if the answer has to be typed. */
export function toChoices(question: Question): PermissionOption[] | undefined {
  const choices = choicesOf(question);
  if (choices.length === 0) return undefined;
  const options = choices.map(
    ({ label }, index) => ({ optionId: String(index), name: label, kind: 'allow_once' }) as const,
  );
  return [...options, { optionId: cancelOption, name: 'Dismiss', kind: 'reject_once' }];
}

export function chosenLabel(question: Question, optionId: string): string | undefined {
  return choicesOf(question).find((_, index) => String(index) === optionId)?.label;
}
