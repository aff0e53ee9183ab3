import { mergedTurn, type Turn } from '../../domain/turn.js';
import type { StoredTask, StoredTurn } from '../store.js';
import type { CheckpointParts } from './checkpoint-parts.js';

/** One change. It is serialised when requested, so later mutations do not affect what is stored. */
export type Write =
  | (Guarded & {
      readonly type: 'event';
      readonly seq: number;
      readonly body: string;
      /** A piece of a streaming reply. The next event that is not a piece makes it durable too. */
      readonly isPiece: boolean;
      /** What the event changes about its turn as a whole. */
      readonly turn?: Turn | undefined;
    })
  | (Guarded & {
      readonly type: 'task';
      readonly task: StoredTask;
      readonly body: string;
      /** Without it, there is no task to write anything else about. */
      readonly isFirst?: true;
    })
  | CheckpointWrite
  | (Guarded & { readonly type: 'summary'; readonly body: string; readonly turns: readonly Turn[] })
  | (Guarded & {
      readonly type: 'artifact';
      readonly name: string;
      readonly body: string;
      readonly content: Uint8Array;
    })
  | (Guarded & { readonly type: 'webhooks'; readonly areOpen: boolean; readonly body: string })
  | (Guarded & { readonly type: 'delete' })
  | (Guarded & { readonly type: 'release'; readonly to: string })
  | { readonly type: 'claim'; readonly taskId: string; readonly from?: string }
  | { readonly type: 'server'; readonly leaseMs: number; readonly body: string }
  | { readonly type: 'delete-server'; readonly id: string }
  | { readonly type: 'usage'; readonly day: string; readonly body: string };

/** Applied only while this epoch holds the claim on the task. 0: only while the task has never been claimed. */
export type Guarded = { readonly taskId: string; readonly epoch: number };

export type CheckpointWrite = Guarded & CheckpointParts & { readonly type: 'checkpoint' };

export type EventWrite = Extract<Write, { type: 'event' }>;
export type OtherWrite = Exclude<Write, EventWrite>;
export type GuardedWrite = Extract<Write, Guarded>;

export function isGuarded(write: Write): write is GuardedWrite {
  return 'epoch' in write;
}

/** Groups consecutive events, which can be stored together; the order of all writes stays the same. */
export function runsOf(batch: readonly Write[]): (EventWrite[] | OtherWrite)[] {
  const runs: (EventWrite[] | OtherWrite)[] = [];
  for (const write of batch) {
    const last = runs.at(-1);
    if (write.type !== 'event') runs.push(write);
    else if (Array.isArray(last)) last.push(write);
    else runs.push([write]);
  }
  return runs;
}

/** The turn updates in these writes, merged into one per turn. */
export function turnsIn(writes: readonly EventWrite[]): readonly StoredTurn[] {
  const turns = new Map<string, StoredTurn>();
  for (const { taskId, turn } of writes) {
    if (!turn) continue;
    const key = `${turn.id} ${taskId}`;
    turns.set(key, { taskId, ...(mergedTurn(turns.get(key), turn) ?? turn) });
  }
  return [...turns.values()];
}

/** About how many bytes it takes. */
export function writeWeight(write: Write): number {
  if (write.type === 'artifact') return write.content.byteLength;
  if (write.type === 'checkpoint') return write.entries.reduce((sum, { length }) => sum + length, write.body.length);
  return 'body' in write ? write.body.length : 0;
}
