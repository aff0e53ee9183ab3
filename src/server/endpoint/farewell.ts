import { toAppError } from '../../domain/errors.js';
import type { SessionEvent, TurnState } from '../../domain/events.js';
import type { SessionPort } from '../../session/session-port.js';

/**
 * The last event of a stream if the session ends here before the turn does. A turn whose events the store has lost has
 * failed. Any other turn continues elsewhere or later; nothing more is known. The event has no seq of its own.
 */
export function farewellOf(session: SessionPort, turnId: string | undefined): SessionEvent {
  const why = toAppError(session.ended.reason);
  const stamp = { seq: session.seq, at: new Date().toISOString(), sessionId: session.id };
  const ids = turnId === undefined ? stamp : { ...stamp, turnId };
  const isLost = why.code === 'store-unavailable' && stateOf(session, turnId) === 'working';
  return isLost
    ? { ...ids, type: 'turn', state: 'failed', error: why.message }
    : { ...ids, type: 'error', message: why.message };
}

function stateOf(session: SessionPort, turnId: string | undefined): TurnState | undefined {
  return session.story.filter((event) => event.type === 'turn').findLast((event) => event.turnId === turnId)?.state;
}
