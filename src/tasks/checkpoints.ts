import type { Json } from '../domain/json.js';

/** A checkpoint as it is stored: with the seq of the newest event that it may include. */
export function stamped(checkpoint: Json, seq: number): Json {
  return isObject(checkpoint) ? { ...checkpoint, seq } : checkpoint;
}

/** Why a turn cannot continue, if its checkpoint knows more than the log, which ends with `lastSeq`. */
export function whyLost(checkpoint: Json | undefined, lastSeq: number): string | undefined {
  const seq = checkpoint !== undefined && isObject(checkpoint) ? checkpoint['seq'] : undefined;
  if (typeof seq !== 'number' || seq <= lastSeq) return undefined;
  return 'part of this turn was lost: the store has fewer events than it had; send the message again';
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
