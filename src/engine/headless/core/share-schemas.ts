import type { Core } from './core.js';

/**
 * Core's validator caches compiled schemas by identity, and core builds a new schema object for every call. Without
 * this, each call would compile the schema again and leak 10 KB.
 */
export function shareSchemas(validator: Pick<Core['SchemaValidator'], 'validate'>): void {
  const known = new Map<string, unknown>();
  const shared = (schema: unknown): unknown => {
    const key = JSON.stringify(schema) ?? '';
    if (!known.has(key)) known.set(key, schema);
    return known.get(key);
  };
  const validate = validator.validate.bind(validator);
  validator.validate = (schema, data) => validate(shared(schema), data);
}
