import { type PromptResponse, RequestError } from '@agentclientprotocol/sdk';
import type { TurnEnd } from '../../domain/events.js';

/** How a turn ended, for the client that prompted. If the turn failed, the request fails. */
export function toPromptResponse(end: {
  readonly state: TurnEnd | 'input-required';
  readonly error?: string;
}): PromptResponse {
  switch (end.state) {
    case 'completed':
    case 'input-required':
      return { stopReason: 'end_turn' };
    case 'canceled':
      return { stopReason: 'cancelled' };
    case 'rejected':
      return { stopReason: 'refusal' };
    default:
      throw new RequestError(-32603, end.error ?? 'the turn failed');
  }
}
