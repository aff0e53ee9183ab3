import { expect, test } from 'vitest';
import { readServeOptions } from '../support/read-serve-options.js';

const read = (argv: string[], env: Record<string, string> = {}) => readServeOptions(argv, env, '/here');

test.each([
  ['nothing', [], {}, 'sqlite:'],
  ["upstream's bucket", [], { GCS_BUCKET_NAME: 'theirs' }, 'gcs://theirs'],
  ['an empty variable', [], { GCS_BUCKET_NAME: '' }, 'sqlite:'],
  ['both buckets', [], { GCS_BUCKET_NAME: 'theirs', A2A_GCS_BUCKET: 'ours' }, 'gcs://ours'],
  ['a bucket and a store', [], { GCS_BUCKET_NAME: 'theirs', COSESSION_STORE: 'memory:' }, 'memory:'],
  ['a bucket and --store', ['--store', 's3://other'], { GCS_BUCKET_NAME: 'theirs' }, 's3://other'],
  ['a bucket and --demo', ['--demo'], { GCS_BUCKET_NAME: 'theirs' }, 'memory:'],
])('the store with %s', (_name, argv, env, store) => {
  expect(read(argv, env).store).toBe(store);
});

test('tasks are shared unless they shall be private', () => {
  expect(read([]).tasks).toBe('shared');
  expect(read(['--tasks', 'shared'], { COSESSION_TASKS: 'private' }).tasks).toBe('shared');
  expect(read([], { COSESSION_TASKS: 'private' }).tasks).toBe('private');
  expect(() => read(['--tasks', 'mine'])).toThrow('--tasks must be shared or private, got "mine"');
});

test('a turn ends by default: after an hour of work', () => {
  expect(read([]).secondsPerTurn).toBe(3600);
  expect(read(['--max-turn-seconds', '5']).secondsPerTurn).toBe(5);
  expect(read(['--max-turn-seconds', '0']).secondsPerTurn).toBe(0);
});
