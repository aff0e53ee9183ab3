import type Database from 'libsql';
import { insertEvent } from './sqlite-commit.js';
import type { EventWrite } from '../shared/write.js';
import type { WriteQueue } from '../shared/write-queue.js';

/** After so many the writer gets one, and with it the chance to move SQLite's log into the tables. */
const inARow = 500;
/** Pieces that come faster than this are a burst: together they cost the queue less than one by one here. */
const burstMs = 5;

/**
 * Stores pieces of a reply in the tick they come, without a thread and without the disk: half a millisecond less on the
 * way of each. True: it is stored. False: it must go through the queue, because something is before it or another writes.
 */
export function quickWrites(
  quick: Database.Database,
  queue: Pick<WriteQueue, 'isFreeFor'>,
  clock = () => performance.now(),
): (event: EventWrite) => boolean {
  const insert = quick.prepare(insertEvent);
  let count = 0;
  let lastAt = -Infinity;
  return ({ isPiece, taskId, seq, body, epoch }) => {
    if (!isPiece) return false;
    const now = clock();
    const isBurst = now - lastAt < burstMs;
    lastAt = now;
    if (isBurst || !queue.isFreeFor(taskId) || ++count % inARow === 0) return false;
    try {
      return insert.run(taskId, seq, body, taskId, epoch).changes > 0;
    } catch {
      // The queue waits for its turn, and says what is wrong if it is something else.
      return false;
    }
  };
}
