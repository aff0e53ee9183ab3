import type { Origin } from '../domain/events.js';
import { cancelOption, type WaitingCall } from '../domain/tool-call.js';
import type { Session } from '../session/session.js';
import { allowing } from '../session/calls/tool-calls.js';

/** What the server answers by itself. By default, a question waits for the first client that answers. */
export type ApprovalPolicy = {
  /** Tools that run without asking. */
  readonly allow: readonly string[];
  /** How long a question stays open before the server denies it. */
  readonly denyAfterMs?: number | undefined;
};

const byList: Origin = { surface: 'server', client: 'allow-list' };
const byTimeout: Origin = { surface: 'server', client: 'timeout' };

/** Who allows a call without asking anyone; undefined if it must ask. Only people can answer the agent's own questions. */
export function allowedBy({ allow }: ApprovalPolicy, { name, approval }: WaitingCall): Origin | undefined {
  const { options, details } = approval;
  const mayBeAllowed = details.kind !== 'questions' && options.some(({ id }) => id === allowing.optionId);
  return allow.includes(name) && mayBeAllowed ? byList : undefined;
}

/** Denies questions of a session that nobody answers in time. Returns a function that stops this. */
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
    // The question may come from an earlier run: the time counts from then.
    const leftMs = Date.parse(event.at) + denyAfterMs - Date.now();
    if (status === 'waiting') timers.set(id, setTimeout(() => deny(id), leftMs).unref());
  });
  return () => {
    unobserve();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
