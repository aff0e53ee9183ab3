import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import type { Session } from '../../session/session.js';

export type AlertTimes = {
  /** A question that is open for this long is worth an alert. */
  readonly questionMs: number;
  /** So is the end of a turn that took longer than this. One that failed always is. */
  readonly longTurnMs: number;
};

export const alertTimes: AlertTimes = { questionMs: 5000, longTurnMs: 60_000 };

/** Calls `alert` when somebody who is not looking should look. Only what happens from now on counts. */
export function watchSession(session: Session, { questionMs, longTurnMs }: AlertTimes, alert: () => void): void {
  const from = session.seq;
  const waiting = new Map<string, NodeJS.Timeout>();
  let began: { readonly turnId: string | undefined; readonly at: number } | undefined;

  function onCall(id: string, isWaiting: boolean): void {
    const timer = waiting.get(id);
    if (isWaiting === (timer !== undefined)) return;
    clearTimeout(timer);
    waiting.delete(id);
    if (isWaiting) waiting.set(id, setTimeout(alert, questionMs).unref());
  }

  function onEvent(event: SessionEvent): void {
    if (event.type === 'tool') return onCall(event.call.id, event.call.status === 'waiting');
    if (event.type !== 'turn') return undefined;
    const { turnId, state } = event;
    const at = Date.parse(event.at);
    if (!isTurnEnd(state)) {
      if (began?.turnId !== turnId) began = { turnId, at };
      return undefined;
    }
    const isLong = began?.turnId === turnId && at - (began?.at ?? at) > longTurnMs;
    if (state === 'failed' || (isLong && state === 'completed')) alert();
    return undefined;
  }

  // Observe instead of subscribing: alerts must not keep a session in memory.
  session.observe((event) => {
    if (event.seq > from) onEvent(event);
  });
  session.ended.addEventListener('abort', () => waiting.forEach((timer) => clearTimeout(timer)), { once: true });
}
