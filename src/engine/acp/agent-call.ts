import { basename } from 'node:path';
import type { FileDiff, ToolOutput } from '../../domain/tool-call.js';
import { lineDiff } from '../../util/text/line-diff.js';
import type { AgentToolCall } from './agent/agent-messages.js';
import { defined } from '../../util/defined.js';

/** Streamed output is kept up to this length; the oldest part is dropped first. */
const maxLive = 256 * 1024;

/** What an agent has reported about one tool call so far. Each update contains only what is new. */
export type AgentCall = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Text sent before the call ran: a description or a plan. */
  readonly description: string;
  readonly live: string;
  readonly result: string;
  readonly diff?: FileDiff;
  readonly rawOutput?: unknown;
};

const unknownCall = {
  name: 'tool',
  title: '',
  kind: 'other',
  args: {},
  description: '',
  live: '',
  result: '',
} as const;

/** The call with an update merged into it. */
export function mergeCall(known: AgentCall | undefined, update: AgentToolCall): AgentCall {
  const before: AgentCall = known ?? { ...unknownCall, id: update.toolCallId };
  const kind = update.kind ?? before.kind;
  const diff = diffOf(update) ?? before.diff;
  const rawOutput = update.rawOutput ?? before.rawOutput;
  const name = nameOf(update) ?? (before.name === unknownCall.name && kind !== 'other' ? kind : before.name);
  return {
    id: before.id,
    name,
    // A title that repeats the name says less than an earlier title.
    title: update.title == null || update.title === name ? before.title : update.title,
    kind,
    args: isRecord(update.rawInput) ? { ...before.args, ...update.rawInput } : before.args,
    ...textsOf(before, update),
    ...defined({ diff, rawOutput }),
  };
}

/** The shell command of the call, whatever kind the agent reports. Gemini sends it only as the title. */
export function commandOf({ args, kind, title }: AgentCall): string | undefined {
  const { command } = args;
  if (typeof command === 'string') return command;
  if (Array.isArray(command) && command.every((word) => typeof word === 'string')) return command.join(' ');
  return kind === 'execute' && title !== '' ? title : undefined;
}

export function resultOf({ diff, result, live, rawOutput }: AgentCall): ToolOutput {
  if (diff) return { kind: 'diff', diff };
  // Qwen's content is a report for the model; the tool's own output is in `rawOutput`.
  const text = [rawOutput, result, live].find((each) => typeof each === 'string' && each !== '');
  if (typeof text === 'string') return { kind: 'text', text };
  return isRecord(rawOutput) ? { kind: 'data', data: rawOutput } : { kind: 'text', text: '' };
}

/** Each agent puts the name somewhere else. */
function nameOf({ name, toolCallId, _meta: meta }: AgentToolCall): string | undefined {
  if (name) return name;
  const found = [at(meta, 'claudeCode', 'toolName'), at(meta, 'goose', 'toolCall', 'toolName'), at(meta, 'toolName')];
  // Gemini's ids are `run_shell_command__…`.
  return found.find((each) => typeof each === 'string') ?? /^([a-z][a-z0-9_]*?)__/.exec(toolCallId)?.[1];
}

type Texts = Pick<AgentCall, 'description' | 'live' | 'result'>;

/** Text has a different meaning before, during and after the call. */
function textsOf({ description, live, result }: AgentCall, update: AgentToolCall): Texts {
  const printed = (live + printedBy(update)).slice(-maxLive);
  const text = textIn(update);
  if (text === '') return { description, live: printed, result };
  if (update.status === 'completed' || update.status === 'failed') return { description, live: printed, result: text };
  return update.status === 'in_progress'
    ? { description, live: text, result }
    : { description: text, live: printed, result };
}

/** Terminal output in `_meta`, as an editor's terminal would receive it. Codex sends nothing else. */
function printedBy({ _meta: meta }: AgentToolCall): string {
  const data = at(meta, 'terminal_output_delta', 'data') ?? at(meta, 'terminal_output', 'data');
  return typeof data === 'string' ? data : '';
}

function textIn({ content }: AgentToolCall): string {
  const texts = (content ?? []).flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  );
  return withoutFence(texts.join('\n'));
}

/** Claude wraps a command's output in a Markdown fence. */
function withoutFence(text: string): string {
  return /^```console\n([^]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

function diffOf({ content }: AgentToolCall): FileDiff | undefined {
  const diff = content?.find((item) => item.type === 'diff');
  if (!diff) return undefined;
  const { path, oldText, newText } = diff;
  return {
    fileName: basename(path),
    filePath: path,
    ...(oldText == null ? {} : { oldContent: oldText }),
    newContent: newText,
    formatted: lineDiff(oldText ?? '', newText),
  };
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
