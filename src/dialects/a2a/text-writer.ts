import type { SessionEvent } from '../../domain/events.js';
import { toUpdates, type Update, type UpdateOptions } from './updates.js';

/** What the model says: the event that comes by the thousand. */
export type TextEvent = SessionEvent & { readonly type: 'text' };

/**
 * Writes the text events of one turn; for clients without the extension those that go on with the answer. Only number, time
 * and text change from one to the next, or the text alone; the rest is written once.
 */
export type TextWriter<T> = (event: TextEvent) => T;

/**
 * Stand in a sample where that which changes is written; no event has that number. A template is cut from a sample, and not
 * written by hand, because each form then says only once in which order its fields stand.
 */
const marks = { seq: Number.MAX_SAFE_INTEGER, text: '[the text]', at: '[the time]' };
const anyMark = new RegExp(`${marks.seq}|"\\[the text\\]"|\\[the time\\]`);

/**
 * The text writer of any JSON that has the number, the text, the time and the number again, in this order; without the
 * extension the text alone. Pure.
 */
export function jsonTextWriter(write: (update: Update) => string, options: UpdateOptions): TextWriter<string> {
  const writeAll: TextWriter<string> = (event) =>
    toUpdates(event, options, { hasAnswer: true, previous: undefined, waiting: [] }).map(write).join('');
  const pieces = writeAll({ type: 'text', sessionId: options.contextId, ...marks }).split(anyMark);
  // The name of a model or of a session may look like a mark.
  if (pieces.length !== (options.isExtended ? 5 : 2)) return writeAll;
  const [beforeId, beforeText, beforeTime, beforeNumber, end] = pieces;
  if (!options.isExtended) return ({ text }) => `${beforeId}${JSON.stringify(text)}${beforeText}`;
  return ({ seq, text, at }) =>
    `${beforeId}${seq}${beforeText}${JSON.stringify(text)}${beforeTime}${at}${beforeNumber}${seq}${end}`;
}
