import { expect, test } from 'vitest';
import { shareSchemas } from '../../../src/engine/headless/core/share-schemas.js';

const schemaOf = (type: string) => ({ type: 'object', properties: { x: { type } }, required: ['x'] });

test('equal schemas are one object to the validator, others are not', () => {
  const seen: unknown[] = [];
  const validator = {
    validate(schema: unknown): string | null {
      seen.push(schema);
      return null;
    },
  };
  shareSchemas(validator);
  const schemas = [schemaOf('string'), schemaOf('string'), schemaOf('number'), undefined];
  for (const schema of schemas) validator.validate(schema);
  expect(seen).toEqual(schemas);
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).not.toBe(seen[0]);
});
