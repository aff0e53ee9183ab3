import * as z from 'zod';
import { errorTable } from '../http/error-table.js';

/** Pieces of the API documents. */

export type SchemaPart = Record<string, unknown>;

export const schemaOf = (schema: z.ZodType): SchemaPart => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

export const info = (version: string, title: string): SchemaPart => ({
  title,
  version,
  license: { name: 'Apache-2.0' },
});

const errorBody = schemaOf(
  z.object({ error: z.object({ code: z.enum(Object.keys(errorTable)), message: z.string() }) }),
);
export const failures = {
  default: { description: 'An error: see docs/errors.md', content: { 'application/json': { schema: errorBody } } },
};
export const ok = (description: string, schema?: SchemaPart): SchemaPart => ({
  description,
  ...(schema ? { content: { 'application/json': { schema } } } : {}),
});

export const events = (description: string, schema: z.ZodType): SchemaPart => ({
  description,
  content: { 'text/event-stream': { schema: schemaOf(schema) } },
});

/** A missing body is read as an empty object. */
export const body = (schema: z.ZodType): SchemaPart => ({
  required: !schema.safeParse({}).success,
  content: { 'application/json': { schema: schemaOf(schema) } },
});
