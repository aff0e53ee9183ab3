import type { Origin, TurnState } from '../domain/events.js';
import type { ToolCall, WaitingCall } from '../domain/tool-call.js';
import type { TotalUsage } from '../domain/total-usage.js';
import { defined } from '../util/defined.js';
import type { QueuedTurn } from './prompt-queue.js';
import type { Recall, RecallState } from './recall.js';

/** Everything a late joiner needs: the state, every open question, and what the session is about. */
export type Snapshot = SnapshotFacts & {
  readonly state: TurnState;
  readonly pending: readonly WaitingCall[];
  readonly model: string;
  readonly seq: number;
};

type SnapshotFacts = {
  /** The first prompt, cut to a line. */
  readonly title?: string;
  readonly workspace?: string;
  readonly approvalMode?: string;
  /** Prompts that wait, the next one first. */
  readonly queue: readonly QueuedPrompt[];
  readonly usage: TotalUsage;
};

export type QueuedPrompt = {
  readonly turnId: string;
  readonly text: string;
  readonly origin: Origin;
  /** 1: it is next. */
  readonly position: number;
};

/** A hundred prompts of a megabyte can wait; clients get whole ones as events. */
const queuedLength = 1000;

/** The snapshot of a session that runs elsewhere, or nowhere. */
export function recalledSnapshot(
  { result: { lastState, running, calls, queued }, state }: Pick<Recall, 'result' | 'state'>,
  { model, workspace }: { readonly model: string; readonly workspace: string | undefined },
): Snapshot {
  return {
    state: running?.state ?? lastState,
    pending: calls.filter(isWaiting),
    model,
    seq: state.seq,
    ...snapshotFacts(state, queued, workspace),
  };
}

export function snapshotFacts(
  { title, settings, usage }: Pick<RecallState, 'title' | 'settings' | 'usage'>,
  queue: readonly QueuedTurn[],
  workspace: string | undefined,
): SnapshotFacts {
  return {
    ...defined({ title, workspace, approvalMode: settings?.approvalMode }),
    queue: queue.map(({ turnId, request: { text, origin } }, index) => ({
      turnId,
      text: text.length > queuedLength ? `${text.slice(0, queuedLength - 1)}…` : text,
      origin,
      position: index + 1,
    })),
    usage,
  };
}

function isWaiting(call: ToolCall): call is WaitingCall {
  return call.status === 'waiting';
}
