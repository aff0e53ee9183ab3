import type { ToolCallContent, ToolCallLocation, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { FileDiff, ToolCall } from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';
import { meta } from './meta.js';

type Status = NonNullable<ToolCallUpdate['status']>;

/** ACP v1 knows no cancelled call; `_meta` says that this failure was one. */
const acpStatus = {
  pending: 'pending',
  waiting: 'pending',
  executing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<ToolCall['status'], Status>;

/** All that ACP can say about a call, whole on every change; `content` is absent where what was shown before still holds. */
export function toAcpToolCall(call: ToolCall): ToolCallUpdate & { title: string } {
  const content = contentOf(call);
  const locations = locationsOf(call);
  return {
    toolCallId: call.id,
    title: titleOf(call),
    name: call.name,
    kind: kindOf(call),
    status: acpStatus[call.status],
    rawInput: call.args,
    ...(content.length === 0 ? {} : { content }),
    ...(locations.length === 0 ? {} : { locations }),
    ...(call.status === 'succeeded' && call.output.kind === 'data' ? { rawOutput: call.output.data } : {}),
    ...callMeta(call),
  };
}

/** The command line of a shell call, else what the engine says about it. */
function titleOf(call: ToolCall): string {
  if (call.status === 'waiting' && call.approval.details.kind === 'execute') return call.approval.details.command;
  const { command } = call.args;
  return typeof command === 'string' && command !== '' ? command : (call.description ?? call.name);
}

const kinds: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  read_many_files: 'read',
  list_directory: 'read',
  glob: 'search',
  grep_search: 'search',
  search_file_content: 'search',
  replace: 'edit',
  write_file: 'edit',
  run_shell_command: 'execute',
  web_fetch: 'fetch',
  google_web_search: 'fetch',
  save_memory: 'think',
  write_todos: 'think',
  enter_plan_mode: 'switch_mode',
  exit_plan_mode: 'switch_mode',
};

export function kindOf(call: ToolCall): ToolKind {
  const known = Object.hasOwn(kinds, call.name) ? kinds[call.name] : undefined;
  if (known !== undefined || call.status !== 'waiting') return known ?? 'other';
  const { kind } = call.approval.details;
  return kind === 'execute' || kind === 'edit' ? kind : kind === 'plan' ? 'switch_mode' : 'other';
}

function contentOf(call: ToolCall): ToolCallContent[] {
  switch (call.status) {
    case 'pending':
      return [];
    case 'waiting': {
      const { details } = call.approval;
      if (details.kind === 'edit') return [toDiff(details.diff)];
      return 'description' in details ? [text(details.description)] : [];
    }
    case 'executing':
      return call.liveOutput === undefined ? [] : [text(call.liveOutput)];
    case 'succeeded':
      if (call.output.kind === 'diff') return [toDiff(call.output.diff)];
      return call.output.kind === 'text' ? [text(call.output.text)] : [];
    case 'failed':
      return [text(call.error.message)];
    case 'cancelled':
      return call.reason === undefined ? [] : [text(call.reason)];
    default:
      return unreachable(call);
  }
}

function locationsOf(call: ToolCall): ToolCallLocation[] {
  const path = call.args['absolute_path'] ?? call.args['file_path'] ?? call.args['path'];
  return typeof path === 'string' && path !== '' ? [{ path }] : [];
}

function toDiff({ filePath, oldContent, newContent }: FileDiff): ToolCallContent {
  return { type: 'diff', path: filePath, oldText: oldContent ?? null, newText: newContent };
}

function text(given: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: given } };
}

/** How a client that was asked too learns who answered, and what ACP has no field for. */
function callMeta({ resolution, parentId, status }: ToolCall): Pick<ToolCallUpdate, '_meta'> {
  const facts = {
    ...(resolution === undefined
      ? {}
      : { resolvedBy: resolution.by, selectedOptionId: resolution.optionId, resolvedAt: resolution.at }),
    ...(parentId === undefined ? {} : { parentCallId: parentId }),
    ...(status === 'cancelled' ? { status } : {}),
  };
  return Object.keys(facts).length === 0 ? {} : { _meta: meta(facts) };
}
