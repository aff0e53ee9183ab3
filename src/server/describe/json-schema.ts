import * as z from 'zod';
import { namedSchemas } from './named-schemas.js';

/** A piece of an API document. */
export type SchemaPart = Record<string, unknown>;

const forms = { io: 'input', unrepresentable: 'any' } as const;

/** The JSON Schema of a schema, whole. */
export function schemaOf(schema: z.ZodType): SchemaPart {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, forms);
  return rest;
}

export type Components = {
  /** The schema, with references in place of what has a name. */
  schemaOf(schema: z.ZodType): SchemaPart;
  /** The named schemas that were referred to so far, directly or not. */
  readonly schemas: SchemaPart;
};

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);

/** Zod asks this registry for the name of each schema. Descriptions are in the global one. */
const registry = Object.assign(z.registry<Record<string, unknown>>(), {
  get(schema: z.core.$ZodType) {
    const id = names.get(schema);
    return id === undefined ? z.globalRegistry.get(schema) : { ...z.globalRegistry.get(schema), id };
  },
});

/** Collects what `components.schemas` of a document has to define. */
export function openComponents(): Components {
  const schemas: SchemaPart = {};
  return {
    schemas,
    schemaOf(schema) {
      // In a list, because only what is inside of another schema is replaced by a reference.
      const { $defs = {}, items } = z.toJSONSchema(z.array(schema), { ...forms, metadata: registry });
      Object.assign(schemas, pointToComponents($defs));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of a list's elements is an object
      return pointToComponents({ items })['items'] as SchemaPart;
    },
  };
}

function pointToComponents(part: SchemaPart): SchemaPart {
  const text = JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object that was written in the line above
  return JSON.parse(text) as SchemaPart;
}
