import type Database from 'libsql';
import { RecentMap } from '../../util/recent-map.js';
import { beginNow, insertEvent, rollBack } from './sqlite-commit.js';
import type { EventWrite } from '../shared/write.js';
import type { WriteQueue } from '../shared/write-queue.js';

/** Pieces that arrive faster than this are a burst, which is cheaper to write together through the queue. */
const burstMs = { ofOneTask: 5, ofAll: 1 };
const remembered = 1000;

/**
 * Stores pieces of a reply in the tick they arrive. Returns false if the event must go through the queue: others are ahead of
 * it or being written.
 */
export function quickWrites(
  quick: Database.Database,
  queue: Pick<WriteQueue, 'isFreeFor'>,
  clock = () => performance.now(),
): (event: EventWrite) => boolean {
  const insert = quick.prepare(insertEvent);
  const lastAt = new RecentMap<string, number>(remembered);
  let lastOfAll = -Infinity;
  return ({ isPiece, taskId, seq, body, epoch }) => {
    if (!isPiece) return false;
    const now = clock();
    const isBurst = now - (lastAt.get(taskId) ?? -Infinity) < burstMs.ofOneTask || now - lastOfAll < burstMs.ofAll;
    lastAt.set(taskId, now);
    lastOfAll = now;
    if (isBurst || !queue.isFreeFor(taskId)) return false;
    // A statement that finds the file locked stays half done in this driver, and no later commit would be possible.
    if (!beginNow(quick)) return false;
    try {
      const { changes } = insert.run(taskId, seq, body, taskId, epoch);
      quick.exec('commit');
      return changes > 0;
    } catch {
      // The queue tries again, and reports what is wrong.
      void rollBack(quick);
      return false;
    }
  };
}
