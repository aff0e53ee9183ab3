import type * as z from 'zod';

/** A field of an agent's message, parsed leniently: an unexpected value counts as absent. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().catch(undefined);
}
