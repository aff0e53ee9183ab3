import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import { unreachable } from '../../util/unreachable.js';
import { meta } from '../acp/meta.js';
import type { Scene } from '../acp/scene.js';

/** The state of the session: running, waiting for an answer, or idle and why. */
export function toStateUpdate(scene: Scene): SessionUpdate {
  const { turn } = scene;
  return { sessionUpdate: 'state_update', ...stateOf(scene), ...(turn === undefined ? {} : { _meta: meta({ turn }) }) };
}

export function isIdle(scene: Scene): boolean {
  return stateOf(scene).state === 'idle';
}

function stateOf({ turn, waiting }: Scene) {
  const state = turn?.state;
  switch (state) {
    case undefined:
    case 'submitted':
      return { state: 'idle' } as const;
    case 'working':
      return { state: 'running' } as const;
    case 'input-required':
      // Without an open question, the agent waits for another message.
      return waiting.size > 0 ? ({ state: 'requires_action' } as const) : idle('end_turn');
    case 'completed':
      return idle('end_turn');
    case 'canceled':
      return idle('cancelled');
    case 'rejected':
      return idle('refusal');
    case 'failed':
      return { ...idle('error'), error: { code: -32603, message: turn?.error ?? 'the turn failed' } };
    default:
      return unreachable(state);
  }
}

function idle<Reason extends string>(stopReason: Reason) {
  return { state: 'idle', stopReason } as const;
}
