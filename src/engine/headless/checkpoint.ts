import type { CompletedToolCall, HistoryTurn, Part } from '@google/gemini-cli-core';
import type { ToolCall } from '../../domain/tool-call.js';
import type { CoreToolRequest } from '../gemini/core-types.js';
import type { BudgetUse } from './budget.js';
import type { ReplyEnd } from './read-reply.js';

/** What is needed to go on with a conversation in another process. Plain JSON. */
export type Checkpoint = {
  readonly version: 1;
  readonly model: string;
  readonly approvalMode: string;
  readonly history: readonly HistoryTurn[];
  /** What the task had cost. */
  readonly used?: BudgetUse;
  /** The turn that ran when it was made. */
  readonly turnId?: string;
  /** The tool calls of it that wait or run; absent before the first. */
  readonly batch?: Batch;
  /** How it ended. */
  readonly end?: ReplyEnd;
};

export type Batch = {
  readonly promptId: string;
  readonly calls: readonly CoreToolRequest[];
  /** What the calls that are over tell the model. */
  readonly responses: Readonly<Record<string, readonly Part[]>>;
};

export function toBatch(promptId: string, calls: readonly CoreToolRequest[]): Batch {
  return { promptId, calls: calls.map(({ callId, name, args }) => ({ callId, name, args })), responses: {} };
}

/** The batch with these calls done. */
export function withDone(batch: Batch, done: readonly CompletedToolCall[]): Batch {
  const news = done.map(({ request, response }) => [request.callId, response.responseParts] as const);
  return { ...batch, responses: { ...batch.responses, ...Object.fromEntries(news) } };
}

/** Whether the checkpoint was made in this turn, at a point from which it can be gone on with. */
export function canResume({ turnId, batch, end }: Checkpoint, interruptedId: string): boolean {
  return turnId === interruptedId && (batch ?? end) !== undefined;
}

/** The calls of a batch that may be scheduled again, and what the others tell the model. */
export type Resumption = {
  /** Complete but for the calls that are open. */
  readonly batch: Batch;
  readonly open: readonly CoreToolRequest[];
  /** Their fate is not known: they are not run again. */
  readonly interrupted: readonly ToolCall[];
};

/** `known`: the calls of the turn as everybody last saw them. A call that may have begun is never begun again. */
export function resumptionOf({ promptId, calls, responses }: Batch, known: readonly ToolCall[]): Resumption {
  const seen = new Map(known.map((call) => [call.id, call]));
  const isOpen = (callId: string): boolean => {
    const status = seen.get(callId)?.status;
    return responses[callId] === undefined && (status === undefined || status === 'pending' || status === 'waiting');
  };
  const closed = calls.filter(({ callId }) => !isOpen(callId));
  const told: Record<string, readonly Part[]> = {};
  for (const { callId, name } of closed) told[callId] = responses[callId] ?? [lastWord(callId, name, seen.get(callId))];
  return {
    batch: { promptId, calls, responses: told },
    open: calls.filter(({ callId }) => isOpen(callId)),
    interrupted: closed.flatMap(({ callId }) => {
      const call = seen.get(callId);
      return responses[callId] === undefined && call?.status === 'executing' ? [call] : [];
    }),
  };
}

/** What a batch tells the model, call by call: it takes no call without an answer. */
export function responsesOf({ calls, responses }: Batch): Part[] {
  return calls.flatMap(({ callId, name }) => responses[callId] ?? [lastWord(callId, name, undefined)]);
}

export const interruptedText =
  'The server was restarted while this ran. It was not run again; its effects may be partial.';

export const resumedText =
  'The server was restarted and goes on with this turn: a reply that was on its way starts anew.';

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
