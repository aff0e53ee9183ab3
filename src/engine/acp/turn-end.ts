import type { EngineEvent } from '../engine.js';

type Ended = Extract<EngineEvent, { type: 'ended' }>;

/** The end of a turn by the agent's stop reason. `isCanceling`: we told it to stop, whatever it calls that. */
export function turnEnd(stopReason: string, isCanceling: boolean): Ended {
  if (isCanceling || stopReason === 'cancelled') return { type: 'ended', state: 'canceled' };
  switch (stopReason) {
    case 'refusal':
      return { type: 'ended', state: 'failed', error: 'the model refused to go on' };
    case 'max_tokens':
      return { type: 'ended', state: 'failed', error: 'the answer is cut off: the model reached its limit of tokens' };
    case 'max_turn_requests':
      return { type: 'ended', state: 'failed', error: 'the agent reached its limit of requests for one turn' };
    default:
      return { type: 'ended', state: 'completed' };
  }
}
