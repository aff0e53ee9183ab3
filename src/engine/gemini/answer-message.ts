import { allowOnceOption, type Answer, cancelOption } from '../../domain/tool-call.js';
import type { CoreToolCall } from './core-types.js';
import { defined } from '../../util/defined.js';

/** An answer in the form that core's message bus expects. */
export type AnswerMessage = {
  readonly type: 'tool-confirmation-response';
  readonly correlationId: string;
  readonly confirmed: boolean;
  readonly requiresUserConfirmation: false;
  readonly outcome: string;
  readonly payload?: unknown;
};

export function toBusMessage(correlationId: string, call: CoreToolCall, answer: Answer): AnswerMessage {
  const confirmed = answer.optionId !== cancelOption;
  // Core runs the tool on any outcome that it does not know. The hub has checked that this one was offered.
  const outcome = answer.newContent === undefined ? answer.optionId : confirmed ? allowOnceOption : cancelOption;
  const payload = payloadOf(call, answer, confirmed);
  return {
    type: 'tool-confirmation-response',
    correlationId,
    confirmed,
    requiresUserConfirmation: false,
    outcome,
    ...defined({ payload }),
  };
}

function payloadOf(call: CoreToolCall, { newContent, answers, feedback }: Answer, confirmed: boolean): unknown {
  if (newContent !== undefined) return { newContent };
  if (answers !== undefined) return { answers };
  if (call.confirmationDetails?.type !== 'exit_plan_mode' || !confirmed) return undefined;
  return feedback === undefined ? { approved: true, approvalMode: 'default' } : { approved: false, feedback };
}
