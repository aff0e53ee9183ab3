import type { Core } from './core.js';

/**
 * Core's validator caches compiled schemas by identity, and core builds a new schema object for many calls. Without
 * this, each of them would compile the schema again and leak 10 KB.
 */
export function shareSchemas(validator: Pick<Core['SchemaValidator'], 'validate'>): void {
  const known = new Map<string, object>();
  const seen = new WeakMap<object, object>();
  const shared = (schema: unknown): unknown => {
    if (typeof schema !== 'object' || schema === null) return schema;
    const same = seen.get(schema) ?? sharedByText(schema);
    seen.set(schema, same);
    return same;
  };
  const sharedByText = (schema: object): object => {
    const key = JSON.stringify(schema);
    const first = known.get(key) ?? schema;
    known.set(key, first);
    return first;
  };
  const validate = validator.validate.bind(validator);
  validator.validate = (schema, data) => validate(shared(schema), data);
}
