import type { ToolKind } from '@agentclientprotocol/sdk';
import type { FileDiff, ToolCall } from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';
import { type TextBlock, textBlock } from './content.js';
import { defined } from '../../util/defined.js';

/** The fields of a call that are the same in every version of ACP. */
export function factsOf(call: ToolCall) {
  const locations = locationsOf(call);
  return {
    toolCallId: call.id,
    title: titleOf(call),
    name: call.name,
    kind: kindOf(call),
    rawInput: call.args,
    ...(locations.length === 0 ? {} : { locations }),
    ...(call.status === 'succeeded' && call.output.kind === 'data' ? { rawOutput: call.output.data } : {}),
  };
}

/** The command line of a shell call; otherwise the engine's description, or the tool name. */
export function titleOf(call: ToolCall): string {
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

function locationsOf(call: ToolCall): { path: string }[] {
  const path = call.args['absolute_path'] ?? call.args['file_path'] ?? call.args['path'];
  return typeof path === 'string' && path !== '' ? [{ path }] : [];
}

export type TextItem = { readonly type: 'content'; readonly content: TextBlock };

/** The content of a call; each version of ACP has its own form of a diff. Empty if what was shown before is still valid. */
export function contentOfCall<Diff>(call: ToolCall, toDiff: (diff: FileDiff) => Diff): (TextItem | Diff)[] {
  switch (call.status) {
    case 'pending':
      return [];
    case 'waiting': {
      const { details } = call.approval;
      if (details.kind === 'edit') return [toDiff(details.diff)];
      return 'description' in details ? [textItem(details.description)] : [];
    }
    case 'executing':
      return call.liveOutput === undefined ? [] : [textItem(call.liveOutput)];
    case 'succeeded':
      if (call.output.kind === 'diff') return [toDiff(call.output.diff)];
      return call.output.kind === 'text' ? [textItem(call.output.text)] : [];
    case 'failed':
      return [textItem(call.error.message)];
    case 'cancelled':
      return call.reason === undefined ? [] : [textItem(call.reason)];
    default:
      return unreachable(call);
  }
}

function textItem(text: string): TextItem {
  return { type: 'content', content: textBlock(text) };
}

/** For `_meta`: who answered, for the other clients that were asked, and what ACP has no field for. */
export function moreOf({ resolution, parentId }: ToolCall): Readonly<Record<string, unknown>> {
  return {
    ...(resolution === undefined
      ? {}
      : { resolvedBy: resolution.by, selectedOptionId: resolution.optionId, resolvedAt: resolution.at }),
    ...defined({ parentCallId: parentId }),
  };
}
