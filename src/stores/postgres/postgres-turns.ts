import type { StoredTurn } from '../store.js';

/** Reads turns from the statement's values, one array per column; `place` is the number of the first. */
export function turnsFrom(place: number): string {
  const types = ['text', 'text', 'integer', 'integer', 'text', 'text', 'text'];
  const values = types.map((type, index) => `$${place + index}::${type}[]`).join(', ');
  return `unnest(${values}) as turn (task_id, id, first_seq, last_seq, state, at, context_id)`;
}

export function turnValues(turns: readonly StoredTurn[]): readonly (readonly unknown[])[] {
  const rows = turns.map(({ taskId, id, first, last, state, at, contextId = null }) => {
    return [taskId, id, first, last, state, at, contextId] as const;
  });
  return [0, 1, 2, 3, 4, 5, 6].map((column) => rows.map((row) => row[column]));
}

/** Merges these turns into the stored ones; the newer state wins. */
export function turnInsertion(from: string): string {
  return `
    insert into cosession_turns as known (task_id, id, first_seq, last_seq, state, at, context_id, owner)
    select turn.*, (select owner from cosession_tasks where cosession_tasks.id = turn.task_id) from ${from} as turn
    on conflict (task_id, id) do update set
      first_seq = least(known.first_seq, excluded.first_seq), last_seq = greatest(known.last_seq, excluded.last_seq),
      state = case when excluded.last_seq < known.last_seq then known.state else excluded.state end,
      at = case when excluded.last_seq < known.last_seq then known.at else excluded.at end`;
}
