import type { Found } from '../shared/write-queue.js';
import { type GuardedWrite, isGuarded, type Write } from '../shared/write.js';

type Held = { readonly epoch: number; readonly seq: number };

/** Guarded writes whose only result is that they are applied. An artifact is as large as its file. */
const journaled: ReadonlySet<Write['type']> = new Set(['event', 'task', 'checkpoint', 'summary', 'webhooks'] as const);

/** The tasks that SQLite has confirmed as this server's, and where their logs end: nobody need ask it again. */
export class HeldTasks {
  readonly #held = new Map<string, Held>();

  /** Whether SQLite would apply all of these. They count as applied from here on. */
  take(batch: readonly Write[]): boolean {
    // Unless all are applied, none is noted. Most pieces of a reply come alone.
    const ends = batch.length === 1 ? this.#held : new Map<string, Held>();
    for (const write of batch) {
      if (!isGuarded(write) || !journaled.has(write.type)) return false;
      const held = ends.get(write.taskId) ?? this.#held.get(write.taskId);
      const next = held && after(held, write);
      if (!next) return false;
      ends.set(write.taskId, next);
    }
    if (ends !== this.#held) for (const [taskId, held] of ends) this.#held.set(taskId, held);
    return true;
  }

  /** SQLite has made this server the holder. */
  noteClaim(taskId: string, epoch: number, lastSeq: number): void {
    this.#held.set(taskId, { epoch, seq: lastSeq });
  }

  /** What SQLite has said to a write. */
  note(write: GuardedWrite, found: Found): void {
    const { type, taskId, epoch } = write;
    if (found === false || type === 'release' || type === 'delete') this.#held.delete(taskId);
    // Without a claim, others may write to the task, too.
    else if (type === 'event' && epoch > 0) this.#held.set(taskId, { epoch, seq: write.seq });
  }
}

/** Undefined if the write would not be applied. */
function after(held: Held, write: GuardedWrite): Held | undefined {
  if (write.epoch !== held.epoch) return undefined;
  if (write.type !== 'event') return held;
  return write.seq === held.seq + 1 ? { epoch: held.epoch, seq: write.seq } : undefined;
}
