import type { Usage } from '../../domain/events.js';
import type { EngineEvent } from '../engine.js';
import type { CoreStreamEvent } from './core-types.js';
import { errorText } from './error-text.js';
import { defined } from '../../util/defined.js';

/** Translates one event of core's model stream. Undefined if it means nothing to clients. Pure. */
export function translateStream(event: CoreStreamEvent): EngineEvent | undefined {
  switch (event.type) {
    case 'content':
      return { type: 'text', text: event.value };
    case 'thought':
      return { type: 'thought', subject: event.value.subject, description: event.value.description };
    case 'citation':
      return { type: 'citation', text: event.value };
    case 'finished':
      return event.value.usageMetadata && { type: 'usage', usage: usageOf(event.value.usageMetadata) };
    case 'error':
      return { type: 'error', message: errorText(event.value.error) };
    case 'invalid_stream':
      return { type: 'error', message: event.value?.message ?? 'the model sent an invalid reply' };
    case 'agent_execution_stopped':
    case 'agent_execution_blocked':
      return { type: 'log', level: 'warn', text: event.value.systemMessage ?? event.value.reason };
    case 'context_window_will_overflow': {
      const { estimatedRequestTokenCount: asked, remainingTokenCount: left } = event.value;
      return {
        type: 'error',
        message: `the message needs about ${asked} tokens, ${left} are left in the context window`,
      };
    }
    case 'retry':
      return {
        type: 'log',
        level: 'warn',
        text: 'The reply broke off and is requested again: it starts from the beginning.',
      };
    case 'loop_detected':
      return { type: 'log', level: 'warn', text: 'A loop was detected and the turn was stopped.' };
    case 'max_session_turns':
      return { type: 'log', level: 'warn', text: 'The session has reached its maximum number of turns.' };
    // `model_info`, `chat_compressed`, `user_cancelled`, tool requests, and events that later releases may add
    default:
      return undefined;
  }
}

type CoreUsage = NonNullable<Extract<CoreStreamEvent, { type: 'finished' }>['value']['usageMetadata']>;

function usageOf(usage: CoreUsage): Usage {
  const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount, thoughtsTokenCount, totalTokenCount } =
    usage;
  return {
    ...defined({
      inputTokens: promptTokenCount,
      outputTokens: candidatesTokenCount,
      cachedTokens: cachedContentTokenCount,
      thoughtTokens: thoughtsTokenCount,
      totalTokens: totalTokenCount,
    }),
  };
}
