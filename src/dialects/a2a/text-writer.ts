import type { SessionEvent } from '../../domain/events.js';
import { toUpdates, type Update, type UpdateOptions } from './updates.js';

/** A piece of the reply: the event that arrives by the thousand. */
export type TextEvent = SessionEvent & { readonly type: 'text' };

/**
 * Writes the text events of one turn; without the extension, only those that continue the reply. Only the seq, time and text
 * change between events (without the extension, only the text), so the rest is serialised once.
 */
export type TextWriter<T> = (event: TextEvent) => T;

/**
 * Placeholders in a sample for the values that change; no event has this seq. The template is cut from a sample instead of
 * written by hand, so each form defines the order of its fields only once.
 */
const marks = { seq: Number.MAX_SAFE_INTEGER, text: '[the text]', at: '[the time]' };
const anyMark = new RegExp(`${marks.seq}|"\\[the text\\]"|\\[the time\\]`);

/**
 * The text writer for any JSON that contains the seq, the text, the time and the seq again, in this order; without the
 * extension, only the text. Pure.
 */
export function jsonTextWriter(write: (update: Update) => string, options: UpdateOptions): TextWriter<string> {
  const writeAll: TextWriter<string> = (event) =>
    toUpdates(event, options, { hasAnswer: true, previous: undefined, waiting: [] }).map(write).join('');
  const pieces = writeAll({ type: 'text', sessionId: options.contextId, ...marks }).split(anyMark);
  // The name of a model or session may look like a placeholder.
  if (pieces.length !== (options.isExtended ? 5 : 2)) return writeAll;
  const [beforeId, beforeText, beforeTime, beforeNumber, end] = pieces;
  if (!options.isExtended) return ({ text }) => `${beforeId}${JSON.stringify(text)}${beforeText}`;
  return ({ seq, text, at }) =>
    `${beforeId}${seq}${beforeText}${JSON.stringify(text)}${beforeTime}${at}${beforeNumber}${seq}${end}`;
}
