import { shortText } from '../domain/short-text.js';
import type { ApprovalDetails, ToolCall, WaitingCall } from '../domain/tool-call.js';
import type { Json } from '../domain/json.js';
import type { StoredTask } from '../stores/store.js';
import { defined } from '../util/defined.js';

/** What a list shows of a task. It is kept in the record, so that listing tasks loads none of them. */
export type TaskDigest = {
  /** The first prompt. */
  readonly title?: string;
  /** How the agent's last words begin. */
  readonly last?: string;
  readonly pending: readonly PendingQuestion[];
};

/** An open question, small enough for a list. */
export type PendingQuestion = {
  readonly id: string;
  readonly title: string;
  readonly kind: ApprovalDetails['kind'];
  /** The whole command. Absent if it is too long to be decided on in a list. */
  readonly command?: string;
  readonly file?: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
};

const maxQuestions = 10;
const maxOptions = 10;
const maxCommand = 2000;
export const lastLength = 140;

export function toPending(calls: Iterable<ToolCall>): PendingQuestion[] {
  return [...calls].filter(isWaiting).slice(0, maxQuestions).map(toQuestion);
}

/** Reads it from a record, which an older server may have written. */
export function digestOf({ metadata }: StoredTask): TaskDigest {
  const { title, last, pending } = metadata;
  return {
    ...(typeof title === 'string' && { title: shortText(title, 80) }),
    ...(typeof last === 'string' && { last }),
    pending: isPending(pending) ? pending : [],
  };
}

/** The metadata of the record with these news. Nothing pending leaves no trace. */
export function withDigest(
  { pending: _before, ...metadata }: StoredTask['metadata'],
  { title, last, pending }: TaskDigest,
): StoredTask['metadata'] {
  return { ...metadata, ...defined({ title, last }), ...(pending.length > 0 && { pending: pending.map(toJson) }) };
}

function isWaiting(call: ToolCall): call is WaitingCall {
  return call.status === 'waiting';
}

function toQuestion({ id, name, description, approval: { details, options } }: WaitingCall): PendingQuestion {
  const says = 'description' in details ? details.description : description;
  return {
    id,
    title: shortText(says || name, lastLength),
    kind: details.kind,
    ...(details.kind === 'execute' && details.command.length <= maxCommand && { command: details.command }),
    ...(details.kind === 'edit' && { file: shortText(details.diff.filePath, 500) }),
    options: options.slice(0, maxOptions).map((option) => ({ id: option.id, name: shortText(option.name, 100) })),
  };
}

function toJson({ options, ...question }: PendingQuestion): Json {
  return { ...question, options: options.map((option) => ({ ...option })) };
}

/** We wrote it ourselves. */
function isPending(value: Json | undefined): value is Json & readonly PendingQuestion[] {
  return Array.isArray(value);
}
