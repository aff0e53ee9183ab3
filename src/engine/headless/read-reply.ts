import type { TurnEnd } from '../../domain/events.js';
import type { EngineEvent } from '../engine.js';
import type { CoreStreamEvent, CoreToolRequest } from '../gemini/core-types.js';
import { errorText } from '../gemini/error-text.js';
import { translateStream } from '../gemini/translate-stream.js';
import type { LoopGuard } from './loop-guard.js';

export type ReplyEnd = { readonly state: TurnEnd; readonly error?: string };

/** The result of one call of the model. */
export type Reply = {
  readonly calls: readonly CoreToolRequest[];
  readonly tokens: number;
  /** Set if the turn is over. */
  readonly end?: ReplyEnd;
  /** The connection broke in the middle of the reply, so another try is worthwhile. */
  readonly brokeOff?: string;
};

export type ReadOptions = {
  readonly loops: LoopGuard;
  readonly report: (event: EngineEvent) => void;
  /** Whether the text that has just arrived was reported before. */
  readonly isReported: () => boolean;
};

/** Reads one reply of the model to its end and reports it as it arrives. */
export async function readReply(
  stream: AsyncIterable<CoreStreamEvent>,
  { loops, report, isReported }: ReadOptions,
): Promise<Reply> {
  let calls: CoreToolRequest[] = [];
  let tokens = 0;
  let end: ReplyEnd | undefined;
  try {
    for await (const event of stream) {
      if (event.type === 'tool_call_request') calls.push(event.value);
      // The attempt is void, and so are its tool calls. It may even have ended normally before.
      if (event.type === 'retry') [calls, end] = [[], undefined];
      if (event.type === 'finished') tokens += event.value.usageMetadata?.totalTokenCount ?? 0;
      if (event.type === 'error' && isBrokenConnection(event.value.error))
        return { calls: [], tokens, brokeOff: errorText(event.value.error) };
      end = endOf(event) ?? end;
      const translated = event.type === 'content' && isReported() ? undefined : translateStream(event);
      if (translated) report(translated);
      if (isLoop(event, loops)) {
        report({ type: 'log', level: 'warn', text: loopText });
        return { calls: [], tokens, end: { state: 'failed', error: loopText } };
      }
    }
  } catch (error) {
    if (isBrokenConnection(error)) return { calls: [], tokens, brokeOff: errorText(error) };
    throw error;
  }
  return { calls, tokens, ...(end ? { end } : {}) };
}

const loopText = 'The model repeats itself, so the turn was stopped.';

function isLoop(event: CoreStreamEvent, loops: LoopGuard): boolean {
  if (event.type === 'content') return loops.isLoopingText(event.value);
  return event.type === 'tool_call_request' && loops.isLoopingCall(event.value.name, event.value.args);
}

function endOf(event: CoreStreamEvent): ReplyEnd | undefined {
  switch (event.type) {
    case 'error':
      return { state: 'failed', error: errorText(event.value.error) };
    case 'invalid_stream':
      return { state: 'failed', error: 'the model sent an invalid reply' };
    case 'context_window_will_overflow':
      return { state: 'failed', error: 'the conversation is too long for the model; compress it or start a new task' };
    case 'user_cancelled':
      return { state: 'canceled' };
    case 'loop_detected':
      return { state: 'failed', error: loopText };
    case 'max_session_turns':
      return { state: 'failed', error: 'the session has reached its maximum number of turns' };
    case 'agent_execution_stopped':
      return { state: 'failed', error: event.value.systemMessage ?? event.value.reason };
    case 'finished':
      return unusualFinish(event.value.reason);
    default:
      return undefined;
  }
}

/** The model stopped, but not because it was done. */
function unusualFinish(reason: string | undefined): ReplyEnd | undefined {
  if (reason === undefined || reason === 'STOP' || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  if (reason === 'MAX_TOKENS') return { state: 'failed', error: 'the reply reached the maximum length' };
  return { state: 'failed', error: `the model ended its reply: ${reason}` };
}

/** Core retries when a request fails, but not when a reply breaks off after it has begun. */
function isBrokenConnection(error: unknown): boolean {
  return /\bterminated\b|UND_ERR_SOCKET|ECONNRESET|other side closed|Incomplete JSON|premature close/i.test(
    errorText(error),
  );
}
