import type { TurnState } from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import type { Notices, OpenQuestion } from './events.js';
import { toMetadata, toWaitingCall } from './tool-call.js';

type Snapshot = { state: TurnState; pending: readonly WaitingCall[]; model: string; seq: number };

/** Sent first to a client that joins late: the state of the session and every open question. */
export function toSnapshot(taskId: string, { state, pending, model, seq }: Snapshot): Notices['SNAPSHOT'] {
  return { kind: 'SNAPSHOT', state, pending: pending.map(toOpenQuestion), model, seq, taskId };
}

/** A waiting call, with the id of its question in the metadata. */
export function toOpenQuestion(call: WaitingCall): OpenQuestion {
  return { ...toWaitingCall(call), metadata: toMetadata(call) };
}

/** Sent before the snapshot to a client whose cursor is older than the oldest event kept. */
export function toResyncRequired(taskId: string, oldest: number): Notices['RESYNC_REQUIRED'] {
  return { kind: 'RESYNC_REQUIRED', oldest, taskId };
}
