import * as z from 'zod';
import type { Json } from '../../domain/json.js';
import type { SessionEvent } from '../../domain/events.js';
import type { StoredArtifact, StoredTask, StoredWebhooks } from '../store.js';

/**
 * A part of a task on its way from one store to another, or to a file and back. The pieces of a task come together and in
 * this order. Summaries and turns are not among them: stores derive them from the events.
 */
export type Piece =
  | { readonly type: 'task'; readonly task: StoredTask }
  | { readonly type: 'checkpoint'; readonly body: Json }
  | { readonly type: 'webhooks'; readonly webhooks: StoredWebhooks }
  | { readonly type: 'artifact'; readonly artifact: StoredArtifact; readonly content: string }
  | { readonly type: 'events'; readonly events: readonly SessionEvent[] }
  /** The task is complete, with this many events. */
  | { readonly type: 'end'; readonly events: number };

const shapes = z.custom<Piece>(
  (value) =>
    z.object({ type: z.enum(['task', 'checkpoint', 'webhooks', 'artifact', 'events', 'end']) }).safeParse(value)
      .success,
  'not a part of a task',
);

/** Reads a line that we wrote; only its kind is checked. */
export function readPiece(line: string): Piece {
  return shapes.parse(JSON.parse(line));
}
