import type { Usage } from '../../domain/events.js';

/** The sum of the tokens of two replies. */
export function sumOf(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
