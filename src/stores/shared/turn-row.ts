import * as z from 'zod';
import type { StoredTurn } from '../store.js';

/** Reads a row of the turns table. */
export function readTurnRow(row: unknown): StoredTurn {
  const { task_id: taskId, first_seq: first, last_seq: last, context_id: contextId, id, state, at } = shape.parse(row);
  return { taskId, id, state, at, ...(contextId === null ? {} : { contextId }), first, last };
}

const shape = z.object({
  task_id: z.string(),
  id: z.string(),
  first_seq: z.number(),
  last_seq: z.number(),
  state: z.custom<StoredTurn['state']>((value) => typeof value === 'string'),
  at: z.string(),
  context_id: z.string().nullable(),
});
