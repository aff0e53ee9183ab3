import type { ApprovalDetails, ToolCall, ToolCallState } from '../../domain/tool-call.js';
import { type AgentCall, commandOf, mergeCall, resultOf } from './agent-call.js';
import type { AgentToolCall } from './agent/agent-messages.js';

/**
 * The progress of a tool call through the RFC's states. Agents skip states, repeat them and go back; whatever they send,
 * we report EXECUTING and then the end. A call that is only announced is not reported: whether it needs permission is
 * known only when the agent asks, or reports it as running.
 *
 * `held`: the agent reports the call as running. Some agents do so before they ask for permission, so it is published
 * when they report it again, when there is output, when the call ends, or when no question came for long enough.
 */
export type CallProgress = {
  readonly call: AgentCall;
  readonly stage: 'pending' | 'held' | 'executing' | 'over';
};

export type Step = { readonly progress: CallProgress; readonly reports: readonly ToolCall[] };

/** Takes one `tool_call` or `tool_call_update`. `isCanceling`: the turn is being stopped, so a failure counts as cancelled. */
export function normalise(known: CallProgress | undefined, update: AgentToolCall, isCanceling: boolean): Step {
  // An answer or a cancel has ended the call. Later updates about it are ignored.
  if (known?.stage === 'over') return { progress: known, reports: [] };
  const call = mergeCall(known?.call, update);
  return advance({ call, stage: known?.stage ?? 'pending' }, update.status ?? undefined, isCanceling);
}

/** Reports a held call as running, because no question came. */
export function release({ call, stage }: CallProgress): Step {
  if (stage !== 'held') return { progress: { call, stage }, reports: [] };
  return { progress: { call, stage: 'executing' }, reports: [executing(call)] };
}

/** The call after its question was answered. The hub reports the answer itself. */
export function answered({ call }: CallProgress, isRefused: boolean): CallProgress {
  return { call, stage: isRefused ? 'over' : 'executing' };
}

export function toCall(call: AgentCall, state: ToolCallState): ToolCall {
  const { id, name, title, args } = call;
  return { id, name, args, ...(title === '' ? {} : { description: title }), ...state };
}

/** What the question is about. */
export function detailsOf(call: AgentCall): ApprovalDetails {
  if (call.diff) return { kind: 'edit', diff: call.diff, isReadOnly: true };
  const command = commandOf(call);
  if (command === undefined) return { kind: 'generic', description: describe(call) };
  const { cwd } = call.args;
  return { kind: 'execute', command, ...(typeof cwd === 'string' ? { workingDirectory: cwd } : {}) };
}

function advance({ call, stage }: CallProgress, status: AgentToolCall['status'], isCanceling: boolean): Step {
  const isRunning = stage === 'executing';
  switch (status) {
    case 'completed':
      return over(call, isRunning, { status: 'succeeded', output: resultOf(call) });
    case 'failed':
      if (isCanceling) return { progress: { call, stage: 'over' }, reports: [toCall(call, { status: 'cancelled' })] };
      return over(call, isRunning, { status: 'failed', error: { message: failureOf(call) } });
    case 'in_progress':
      if (stage === 'pending' && call.live === '') return { progress: { call, stage: 'held' }, reports: [] };
      return { progress: { call, stage: 'executing' }, reports: [executing(call)] };
    // `pending`, or no status
    default:
      return { progress: { call, stage }, reports: isRunning && call.live !== '' ? [executing(call)] : [] };
  }
}

function over(call: AgentCall, wasRunning: boolean, end: ToolCallState): Step {
  const before = wasRunning ? [] : [toCall(call, { status: 'executing' })];
  return { progress: { call, stage: 'over' }, reports: [...before, toCall(call, end)] };
}

function executing(call: AgentCall): ToolCall {
  return toCall(call, call.live === '' ? { status: 'executing' } : { status: 'executing', liveOutput: call.live });
}

function failureOf(call: AgentCall): string {
  const output = resultOf(call);
  if (output.kind === 'data') return JSON.stringify(output.data);
  return output.kind === 'text' && output.text !== '' ? output.text : 'the agent did not say why';
}

/** Everything that people need to decide on a call that is neither a command nor an edit. */
function describe({ title, description, name, args }: AgentCall): string {
  const parameters = Object.keys(args).length === 0 ? '' : JSON.stringify(args, null, 2);
  const lines = [...new Set([title === '' ? name : title, description, parameters])];
  return lines.filter((line) => line !== '').join('\n');
}
