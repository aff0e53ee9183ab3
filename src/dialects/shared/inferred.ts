import type * as z from 'zod';

/** What a schema describes, read-only at any depth. */
export type Inferred<Schema extends z.ZodType> = Immutable<z.infer<Schema>>;

type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
