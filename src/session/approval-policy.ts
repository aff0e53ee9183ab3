import type { Origin } from '../domain/events.js';
import { cancelOption, type WaitingCall } from '../domain/tool-call.js';
import type { Session } from './session.js';

/** What the server itself answers. Without any of it, a question waits for the first who answers. */
export type ApprovalPolicy = {
  /** Tools that run without anybody's answer. */
  readonly allow: readonly string[];
  /** A question that nobody answered for so long is answered with no. */
  readonly denyAfterMs?: number | undefined;
};

const byList: Origin = { surface: 'server', client: 'allow-list' };
const byTimeout: Origin = { surface: 'server', client: 'timeout' };

/** Applies the server's policy to the questions of a session. Returns how to stop. */
export function applyPolicy(session: Session, { allow, denyAfterMs }: ApprovalPolicy): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  const answer = (call: WaitingCall, optionId: string, by: Origin): void => {
    const isOpen = session.snapshot.pending.some(({ id }) => id === call.id);
    if (isOpen && call.approval.options.some(({ id }) => id === optionId)) session.answer(call.id, { optionId }, by);
  };
  const unobserve = session.observe((event) => {
    if (event.type !== 'tool') return;
    const { call } = event;
    clearTimeout(timers.get(call.id));
    timers.delete(call.id);
    if (call.status !== 'waiting') return;
    // Not in this tick: the question is still being told.
    if (allow.includes(call.name)) setImmediate(() => answer(call, 'proceed_once', byList));
    else if (denyAfterMs !== undefined) {
      const timer = setTimeout(() => answer(call, cancelOption, byTimeout), denyAfterMs);
      timer.unref();
      timers.set(call.id, timer);
    }
  });
  return () => {
    unobserve();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
