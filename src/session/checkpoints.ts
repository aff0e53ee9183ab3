import type { Json } from '../stores/store.js';

/** A checkpoint as it is stored: with the number of the newest event it may know of. */
export function stamped(checkpoint: Json, seq: number): Json {
  return isObject(checkpoint) ? { ...checkpoint, seq } : checkpoint;
}

/** Whether a checkpoint knows more than the log, which ends with `lastSeq`: then nobody may believe what it says of a turn. */
export function isAhead(checkpoint: Json | undefined, lastSeq: number): boolean {
  if (checkpoint === undefined || !isObject(checkpoint)) return false;
  const { seq } = checkpoint;
  return typeof seq === 'number' && seq > lastSeq;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
