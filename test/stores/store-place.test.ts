import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storePlace } from '../../src/stores/store-place.js';

test.each([
  ['memory:', 'memory:'],
  ['sqlite:', 'sqlite:'],
  ['sqlite:/home/a@b/tasks.db', 'sqlite:/home/a@b/tasks.db'],
  ['tasks.db', 'tasks.db'],
  ['gcs://bucket', 'gcs://bucket'],
  ['s3://id:hush@bucket', 's3://bucket'],
  ['postgres://db.example:5432/tasks', 'postgres://db.example:5432/tasks'],
  ['postgres://user:hush@[::1]:5432/tasks', 'postgres://[::1]:5432/tasks'],
  ['postgres://user:hu@sh@db.example/tasks', 'postgres://db.example/tasks'],
  ['postgres://db.example/tasks?user=me&password=hush', 'postgres://db.example/tasks'],
  ['postgres://db.example/tasks?password=hu@sh', 'postgres://…'],
  ['postgres://user:hu/sh@db.example/tasks', 'postgres://…'],
  ['postgres://user:hu?sh@db.example/tasks', 'postgres://…'],
  ['postgres://user:hush@one.example,two.example/tasks', 'postgres://one.example,two.example/tasks'],
  ['user:hush@db.example', '://…'],
])('%s is shown as %s', (url, expected) => {
  expect(storePlace(url)).toBe(expected);
});

test('whatever characters a password has, encoded or not, it is not shown', () => {
  const password = fc
    .string({
      unit: fc.constantFrom('@', ':', '/', '?', '#', '%', '&', '=', ',', '.', '[', ']', ' ', '1'),
      maxLength: 6,
    })
    .map((text) => `hu${text}sh`);
  fc.assert(
    fc.property(password, fc.boolean(), fc.boolean(), (secret, isEncoded, isParameter) => {
      const written = isEncoded ? encodeURIComponent(secret) : secret;
      const url = isParameter
        ? `postgres://db.example/tasks?password=${written}`
        : `postgres://user:${written}@db.example/tasks`;
      expect(storePlace(url)).not.toMatch(/hu|sh/);
    }),
  );
});
