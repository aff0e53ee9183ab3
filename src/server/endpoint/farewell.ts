import { toAppError } from '../../domain/errors.js';
import type { SessionEvent, TurnState } from '../../domain/events.js';
import type { Session } from '../../session/session.js';

/**
 * What a stream says when the session ends here before the turn does. A turn whose words the store has lost has failed;
 * of any other nothing is known but that it goes on elsewhere or later. It has no number of its own.
 */
export function farewellOf(session: Session, turnId: string | undefined): SessionEvent {
  const why = toAppError(session.ended.reason);
  const stamp = { seq: session.seq, at: new Date().toISOString(), sessionId: session.id };
  const ids = turnId === undefined ? stamp : { ...stamp, turnId };
  const isLost = why.code === 'store-unavailable' && stateOf(session, turnId) === 'working';
  return isLost
    ? { ...ids, type: 'turn', state: 'failed', error: why.message }
    : { ...ids, type: 'error', message: why.message };
}

function stateOf(session: Session, turnId: string | undefined): TurnState | undefined {
  return session.story.filter((event) => event.type === 'turn').findLast((event) => event.turnId === turnId)?.state;
}
