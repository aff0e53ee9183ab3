import type { Json } from '../../domain/json.js';
import { historyIn } from '../../domain/continued-checkpoint.js';
import { readJson } from './stored-shapes.js';

/** A checkpoint as it is stored: its history entry by entry, so that a long one can be continued, and the rest. */
export type CheckpointParts = {
  readonly body: string;
  /** How many stored entries remain, and what comes after them. */
  readonly kept: number;
  readonly entries: readonly string[];
  /** It continues the stored one. */
  readonly continues: boolean;
};

/**
 * Marks a body whose history is stored apart. It makes the body invalid JSON: an older server fails to load the task, instead
 * of continuing it without its history.
 */
const mark = '+';

export function checkpointParts(checkpoint: Json): CheckpointParts {
  const found = historyIn(checkpoint);
  if (!found) return { body: JSON.stringify(checkpoint), kept: 0, entries: [], continues: false };
  const { kept, history, rest } = found;
  const entries = history.map((entry) => JSON.stringify(entry));
  return { body: `${mark}${JSON.stringify(rest)}`, kept: kept ?? 0, entries, continues: kept !== undefined };
}

/** Of the stored body and the entries after it. Older servers stored all of a checkpoint in its body. */
export function fromRows([body, ...entries]: readonly string[]): Json | undefined {
  if (body === undefined) return undefined;
  if (!body.startsWith(mark)) return readJson(body);
  const fields = body.slice(mark.length + 1, -1);
  return readJson(`{${fields}${fields === '' ? '' : ','}"history":[${entries.join(',')}]}`);
}

/** The changes of two checkpoints as one. */
export function joinedParts(first: CheckpointParts | undefined, next: CheckpointParts): CheckpointParts {
  if (!first || !next.continues || next.kept < first.kept) return next;
  const entries = [...first.entries.slice(0, next.kept - first.kept), ...next.entries];
  return { ...next, kept: first.kept, entries, continues: first.continues };
}
