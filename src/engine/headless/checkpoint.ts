import type { CompletedToolCall, HistoryTurn, Part } from '@google/gemini-cli-core';
import type { ToolCall } from '../../domain/tool-call.js';
import type { CoreToolRequest } from '../gemini/core-types.js';
import type { BudgetUse } from './budget.js';
import type { ReplyEnd } from './read-reply.js';

/** What is needed to continue a conversation in another process. Plain JSON. */
export type Checkpoint = {
  readonly version: 1;
  readonly model: string;
  readonly approvalMode: string;
  readonly history: readonly HistoryTurn[];
  /** How many entries of the last saved history come before these. Absent in a whole checkpoint. */
  readonly kept?: number;
  /** What the task has cost so far. */
  readonly used?: BudgetUse;
  /** The turn that was running when the checkpoint was made. */
  readonly turnId?: string;
  /** The tool calls of that turn that wait or run. Absent before the first. */
  readonly batch?: Batch;
  /** How that turn ended. */
  readonly end?: ReplyEnd;
};

export type Batch = {
  readonly promptId: string;
  readonly calls: readonly CoreToolRequest[];
  /** The responses to the model of the calls that are over. */
  readonly responses: Readonly<Record<string, readonly Part[]>>;
};

export function toBatch(promptId: string, calls: readonly CoreToolRequest[]): Batch {
  return { promptId, calls: calls.map(({ callId, name, args }) => ({ callId, name, args })), responses: {} };
}

/** The batch with these calls marked as done. */
export function withDone(batch: Batch, done: readonly CompletedToolCall[]): Batch {
  const news = done.map(({ request, response }) => [request.callId, response.responseParts] as const);
  return { ...batch, responses: { ...batch.responses, ...Object.fromEntries(news) } };
}

/** Whether the checkpoint was made in this turn, at a point from which the turn can continue. */
export function canResume({ turnId, batch, end }: Checkpoint, interruptedId: string): boolean {
  return turnId === interruptedId && (batch ?? end) !== undefined;
}

/** The calls of a batch that may be scheduled again, and the responses of the others. */
export type Resumption = {
  /** Complete except for the open calls. */
  readonly batch: Batch;
  readonly open: readonly CoreToolRequest[];
  /** Calls whose outcome is unknown. They are not run again. */
  readonly interrupted: readonly ToolCall[];
};

/** `known`: the calls of the turn in their last published state. A call that may have begun is never started again. */
export function resumptionOf({ promptId, calls, responses }: Batch, known: readonly ToolCall[]): Resumption {
  const seen = new Map(known.map((call) => [call.id, call]));
  const isOpen = (callId: string): boolean => {
    const status = seen.get(callId)?.status;
    return responses[callId] === undefined && (status === undefined || status === 'pending' || status === 'waiting');
  };
  const closed = calls.filter(({ callId }) => !isOpen(callId));
  const complete: Record<string, readonly Part[]> = {};
  for (const { callId, name } of closed)
    complete[callId] = responses[callId] ?? [lastWord(callId, name, seen.get(callId))];
  return {
    batch: { promptId, calls, responses: complete },
    open: calls.filter(({ callId }) => isOpen(callId)),
    interrupted: closed.flatMap(({ callId }) => {
      const call = seen.get(callId);
      return responses[callId] === undefined && call?.status === 'executing' ? [call] : [];
    }),
  };
}

/** The responses of a batch, call by call. The model does not accept a call without a response. */
export function responsesOf({ calls, responses }: Batch): Part[] {
  return calls.flatMap(({ callId, name }) => responses[callId] ?? [lastWord(callId, name, undefined)]);
}

export const interruptedText =
  'The server was restarted while this ran. It was not run again; its effects may be partial.';

export const resumedText =
  'The server was restarted and continues this turn: a reply that was not finished starts again.';

function lastWord(callId: string, name: string, call: ToolCall | undefined): Part {
  return { functionResponse: { id: callId, name, response: responseOf(call) } };
}

function responseOf(call: ToolCall | undefined): Record<string, unknown> {
  switch (call?.status) {
    case 'succeeded':
      return { output: call.output.kind === 'text' ? call.output.text : 'The tool finished.' };
    case 'failed':
      return { error: call.error.message };
    case 'cancelled':
      return { error: '[Operation Cancelled] Reason: User denied execution.' };
    default:
      return { error: interruptedText };
  }
}
