import type { SessionEvent } from './events.js';

/** The weight of the event's own fields. */
const overhead = 200;
/** The weight of an object, an array, or a value other than text. */
const perValue = 16;

/**
 * Roughly the bytes an event keeps alive: all text in it, at any depth, so no type of event can be forgotten.
 * Pieces of a reply are weighed without walking their fields: there are thousands a second.
 */
export function weightOf(event: SessionEvent): number {
  return event.type === 'text' ? overhead + event.text.length : overhead + weightOfValue(event);
}

function weightOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return perValue;
  let sum = perValue;
  if (Array.isArray(value)) for (const inner of value) sum += weightOfValue(inner);
  else for (const [key, inner] of Object.entries(value)) sum += key.length + weightOfValue(inner);
  return sum;
}
