import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import type { Session } from '../../session/session.js';

export type AlertTimes = {
  /** A question that is open for this long is worth an alert. */
  readonly questionMs: number;
  /** So is the end of a turn that took longer than this. One that failed always is. */
  readonly longTurnMs: number;
};

export const alertTimes: AlertTimes = { questionMs: 5000, longTurnMs: 60_000 };

/** Calls `alert` when somebody who is not looking should look. Earlier events count if there was no time for their alert. */
export function watchSession(session: Session, { questionMs, longTurnMs }: AlertTimes, alert: () => void): void {
  const from = session.seq;
  /** The questions that wait, with what will alert about them. Those that were old when they came here were alerted elsewhere. */
  const waiting = new Map<string, NodeJS.Timeout | undefined>();
  let began: { readonly turnId: string | undefined; readonly at: number } | undefined;

  function onCall(id: string, isWaiting: boolean, leftMs: number | undefined): void {
    if (isWaiting === waiting.has(id)) return;
    clearTimeout(waiting.get(id));
    waiting.delete(id);
    if (isWaiting) waiting.set(id, leftMs === undefined ? undefined : setTimeout(alert, leftMs).unref());
  }

  /** How long a question that was asked before, at another server or before a restart, still has. */
  function leftOf(at: string): number | undefined {
    const leftMs = Date.parse(at) + questionMs - Date.now();
    return leftMs > 0 ? leftMs : undefined;
  }

  function onEvent(event: SessionEvent): void {
    const isNew = event.seq > from;
    if (event.type === 'tool')
      return onCall(event.call.id, event.call.status === 'waiting', isNew ? questionMs : leftOf(event.at));
    if (event.type !== 'turn' || !isNew) return undefined;
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
  session.observe(onEvent);
  session.ended.addEventListener('abort', () => waiting.forEach((timer) => clearTimeout(timer)), { once: true });
}
