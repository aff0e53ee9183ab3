import type { ClientList } from '../../domain/client.js';
import type { Origin, TurnState } from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import type { TotalUsage } from '../../domain/total-usage.js';
import { defined } from '../../util/defined.js';
import type { Notices, OpenQuestion } from './events.js';
import { toMetadata, toWaitingCall } from './tool-call.js';

type Snapshot = {
  readonly state: TurnState;
  readonly pending: readonly WaitingCall[];
  readonly model: string;
  readonly seq: number;
  readonly title?: string;
  readonly workspace?: string;
  readonly approvalMode?: string;
  readonly queue: readonly { turnId: string; text: string; origin: Origin; position: number }[];
  readonly usage: TotalUsage;
};

/** Sent first to a client that joins late: the state of the session, every open question, and who is here. */
export function toSnapshot(
  taskId: string,
  { state, pending, model, seq, title, workspace, approvalMode, queue, usage }: Snapshot,
  list: ClientList,
): Notices['SNAPSHOT'] {
  return {
    kind: 'SNAPSHOT',
    state,
    pending: pending.map(toOpenQuestion),
    model,
    seq,
    ...defined({ title, workspace, approvalMode }),
    queue,
    usage,
    ...list,
    taskId,
  };
}

/** Sent to every client when somebody joins or leaves. */
export function toClients(taskId: string, list: ClientList): Notices['CLIENTS'] {
  return { kind: 'CLIENTS', ...list, taskId };
}

/** A waiting call, with the id of its question in the metadata. */
export function toOpenQuestion(call: WaitingCall): OpenQuestion {
  return { ...toWaitingCall(call), metadata: toMetadata(call) };
}

/** Sent before the snapshot to a client whose cursor is older than the oldest event kept. */
export function toResyncRequired(taskId: string, oldest: number): Notices['RESYNC_REQUIRED'] {
  return { kind: 'RESYNC_REQUIRED', oldest, taskId };
}
