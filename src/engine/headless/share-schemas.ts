import type { Core } from './core.js';

/**
 * Core's validator keeps whatever it has compiled, by the identity of the schema, and core makes a tool's schema anew for
 * every call: without this each call would compile it again and leave 10 KB behind.
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
