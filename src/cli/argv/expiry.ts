import { UsageError } from '../../util/usage-error.js';
import { parseTime } from './values.js';

/** A time from now, or a date. */
export function parseExpiry(text: string, now: Date): Date {
  const at = parseTime(text, (ms) => now.getTime() + ms);
  if (Number.isNaN(at.getTime())) throw new UsageError(`--expires takes 30m, 12h, 30d or a date, not "${text}"`);
  if (at <= now) throw new UsageError(`--expires must be in the future, and ${text} is not`);
  return at;
}
