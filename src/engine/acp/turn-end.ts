import type { EngineEvent } from '../engine.js';

type Ended = Extract<EngineEvent, { type: 'ended' }>;

export type TurnCourse = {
  /** We asked it to stop, whatever reason it reports. */
  readonly isCanceling: boolean;
  /** Somebody refused one of its calls. */
  readonly wasRefused: boolean;
};

/** How a turn ended, by the agent's stop reason. */
export function endOf(stopReason: string, { isCanceling, wasRefused }: TurnCourse): Ended {
  if (isCanceling) return { type: 'ended', state: 'canceled' };
  switch (stopReason) {
    case 'cancelled':
      // Codex stops when it is refused and reports `cancelled`, although nobody canceled the turn.
      return { type: 'ended', state: wasRefused ? 'completed' : 'canceled' };
    case 'refusal':
      return { type: 'ended', state: 'failed', error: 'the model refused to continue' };
    case 'max_tokens':
      return { type: 'ended', state: 'failed', error: 'the answer is cut off: the model reached its limit of tokens' };
    case 'max_turn_requests':
      return { type: 'ended', state: 'failed', error: 'the agent reached its limit of requests for one turn' };
    default:
      return { type: 'ended', state: 'completed' };
  }
}
