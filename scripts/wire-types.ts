// Writes out the types of src/dialects/endpoint/events.ts. They are inferred with zod, which users of the client do not have.
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import * as z from 'zod';
import { noticeSchemas } from '../src/dialects/endpoint/notice-schemas.js';
import * as taskRowSchema from '../src/dialects/endpoint/task-row-schema.js';
import { eventSchemas } from '../src/dialects/endpoint/to-wire.js';
import * as toolCallSchemas from '../src/dialects/endpoint/tool-call-schemas.js';

type Schema = z.core.JSONSchema.BaseSchema;
type Named = { readonly name: string; readonly schema: z.ZodType };

/** A type in that file, with its schema or its table of schemas. */
type Declared = Named | { readonly name: string; readonly table: readonly Named[] };

export const inferred = 'src/dialects/endpoint/events.ts';
const schemas: Readonly<Record<string, unknown>> = {
  ...toolCallSchemas,
  ...taskRowSchema,
  eventSchemas,
  noticeSchemas,
};

export async function wireTypes(): Promise<string> {
  const declared = readDeclared();
  const shapes = toShapes(declared.flatMap((type) => ('table' in type ? type.table : [type])));
  const text = declared.map((type) => {
    const table = 'table' in type && type.table.map(({ name }) => [name.replace(/.*\./, ''), shapes(name)] as const);
    return `export type ${type.name} = ${table ? fieldsOf(table) : typeOf(shapes(type.name))};`;
  });
  // Not from .oxfmtrc.json: the image of the container is built without it.
  const { code } = await format(inferred, text.join('\n\n'), { singleQuote: true, printWidth: 120 });
  return code;
}

function readDeclared(): Declared[] {
  const types = [...readFileSync(inferred, 'utf8').matchAll(/^export type (\w+) = (?:Of|AllOf)<typeof (\w+)>;$/gm)];
  return types.map(([, name = '', schemaName = '']) => {
    const schema = schemas[schemaName];
    if (schema instanceof z.ZodType) return { name, schema };
    const table = Object.entries(schema ?? {}).map(([key, member]) => ({
      name: `${name}.${key}`,
      schema: check(member),
    }));
    return { name, table };
  });
}

function check(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error(`${inferred} names something that is not a schema`);
}

/** The shape of each type by name, with references to the others. */
function toShapes(types: readonly Named[]): (name: string) => Schema {
  const registry = z.registry<{ id: string }>();
  for (const { name, schema } of types) registry.add(schema, { id: name });
  const { schemas: shapes } = z.toJSONSchema(registry, { uri: (id) => id, io: 'input' });
  return (name) => {
    const shape = shapes[name];
    if (!shape) throw new Error(`${name} has no schema`);
    return shape;
  };
}

function typeOf(schema: Schema): string {
  const { $ref, const: only, enum: values, items, properties, type } = schema;
  const forms = schema.anyOf ?? schema.oneOf;
  if ($ref !== undefined) return $ref;
  if (forms) return forms.map((form) => typeOf(schemaIn(form))).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `readonly (${typeOf(Array.isArray(items) ? {} : schemaIn(items))})[]`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, schemaIn(field)] as const);
    return fieldsOf(fields, schema.required ?? []);
  }
  if (type === 'object') return `{ readonly [name: string]: ${typeOf(schemaIn(schema.additionalProperties))} }`;
  return typeof type !== 'string' ? 'unknown' : type === 'integer' ? 'number' : type;
}

function fieldsOf(fields: readonly (readonly [string, Schema])[], required?: readonly string[]): string {
  const lines = fields.map(([name, field]) => {
    const comment = field.description === undefined ? '' : `/** ${field.description} */\n`;
    return `${comment}readonly ${name}${required?.includes(name) === false ? '?' : ''}: ${typeOf(field)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** In JSON Schema, `true` means anything. */
function schemaIn(value: Schema | boolean | undefined): Schema {
  return typeof value === 'object' ? value : {};
}
