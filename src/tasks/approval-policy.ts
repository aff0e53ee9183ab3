import type { Origin } from '../domain/events.js';
import { cancelOption, type WaitingCall } from '../domain/tool-call.js';
import type { Session } from '../session/session.js';
import { allowing } from '../session/tool-calls.js';

/** What the server itself answers. Without any of it, a question waits for the first who answers. */
export type ApprovalPolicy = {
  /** Tools that run without anybody's answer. */
  readonly allow: readonly string[];
  /** A question that nobody answered for so long is answered with no. */
  readonly denyAfterMs?: number | undefined;
};

const byList: Origin = { surface: 'server', client: 'allow-list' };
const byTimeout: Origin = { surface: 'server', client: 'timeout' };

/** Who lets a call run without asking anybody; undefined when it has to ask. What the agent wants to know only people can say. */
export function allowedBy({ allow }: ApprovalPolicy, { name, approval }: WaitingCall): Origin | undefined {
  const { options, details } = approval;
  const mayBeAllowed = details.kind !== 'questions' && options.some(({ id }) => id === allowing.optionId);
  return allow.includes(name) && mayBeAllowed ? byList : undefined;
}

/** Answers the questions of a session that nobody answers in time. Returns how to stop. */
export function denyLate(session: Session, { denyAfterMs }: ApprovalPolicy): () => void {
  if (denyAfterMs === undefined) return () => {};
  const timers = new Map<string, NodeJS.Timeout>();
  const deny = (callId: string): void => {
    const isOpen = session.snapshot.pending.some(({ id }) => id === callId);
    if (isOpen) session.answer(callId, { optionId: cancelOption }, byTimeout);
  };
  const unobserve = session.observe((event) => {
    if (event.type !== 'tool') return;
    const { id, status } = event.call;
    clearTimeout(timers.get(id));
    timers.delete(id);
    // An earlier life may have asked: the time counts from there.
    const leftMs = Date.parse(event.at) + denyAfterMs - Date.now();
    if (status === 'waiting') timers.set(id, setTimeout(() => deny(id), leftMs).unref());
  });
  return () => {
    unobserve();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
