import type { SessionEvent } from '../../src/domain/events.js';
import type { Earlier } from '../../src/session/load-events.js';
import { Recall } from '../../src/session/recall.js';

/** What a session that told these events would have left in its store. */
export function earlierOf(events: readonly SessionEvent[]): Earlier {
  const recall = new Recall('completed');
  for (const event of events) recall.add(event);
  return { events, recall };
}
