import type * as z from 'zod';

/** A field of an agent's message, read leniently: when it is not as expected it counts as absent. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().catch(undefined);
}
