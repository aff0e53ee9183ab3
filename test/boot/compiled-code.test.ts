import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CompiledCode } from '../../src/boot/compiled-code.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const script = (result: number): string => `(function(){return ${result}})`;

type Place = { readonly env: { XDG_CACHE_HOME: string }; readonly source: string; readonly kept: string };

function newPlace(): Place {
  const folder = temporaryFolder();
  const source = join(folder, 'script.cjs');
  writeFileSync(source, script(1));
  return { env: { XDG_CACHE_HOME: folder }, source, kept: join(folder, 'cosession', 'compiled') };
}

/** What a process does: it runs the script and keeps what V8 has compiled. */
function run({ env, source }: Place): unknown {
  const code = new CompiledCode(env);
  code.startKeeping();
  const main = code.compile(source).runInThisContext() as () => unknown;
  const result = main();
  code.keep();
  return result;
}

/** A file that is written again is another one. */
function filesIn({ kept }: Place): number[] {
  return existsSync(kept) ? readdirSync(kept).map((name) => statSync(join(kept, name)).ino) : [];
}

test('compiled code is kept for the next process, which has nothing to add', () => {
  const place = newPlace();
  expect(run(place)).toBe(1);
  const [file, ...more] = filesIn(place);
  expect([file, more]).toEqual([expect.any(Number), []]);
  expect(run(place)).toBe(1);
  expect(filesIn(place)).toEqual([file]);
});

test('a process that only loads our code, as tests and benches do, leaves nothing behind', () => {
  const { env, source, kept } = newPlace();
  const code = new CompiledCode(env);
  code.compile(source);
  code.keep();
  expect(existsSync(kept)).toBe(false);
});

test('a file that was changed is compiled again, even if it is as long as before', () => {
  const place = newPlace();
  expect(run(place)).toBe(1);
  writeFileSync(place.source, script(2));
  expect(run(place)).toBe(2);
  expect(run(place)).toBe(2);
});

test.each<readonly [string, (bytes: Buffer) => Uint8Array]>([
  ['cut off', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['changed at its end', (bytes) => bytes.fill(0, bytes.length - 64)],
  ['changed at its beginning', (bytes) => bytes.fill(0, 0, 64)],
])('what was kept is made again if it is %s', (_, damage) => {
  const place = newPlace();
  run(place);
  const [name = ''] = readdirSync(place.kept);
  const file = join(place.kept, name);
  const whole = readFileSync(file);
  writeFileSync(file, damage(Buffer.from(whole)));
  expect(run(place)).toBe(1);
  expect(readFileSync(file)).toHaveLength(whole.length);
});

test('a folder that other users may write to is not used', () => {
  const place = newPlace();
  mkdirSync(join(place.kept, '..'), { recursive: true });
  chmodSync(join(place.kept, '..'), 0o777);
  expect(run(place)).toBe(1);
  expect(filesIn(place)).toEqual([]);
});

test('without a place to keep it, code runs all the same', () => {
  const place = newPlace();
  writeFileSync(join(place.env.XDG_CACHE_HOME, 'cosession'), 'a file');
  expect(run(place)).toBe(1);
});

test("Node's own variable turns it off", () => {
  const place = newPlace();
  expect(run({ ...place, env: { ...place.env, NODE_DISABLE_COMPILE_CACHE: '1' } as Place['env'] })).toBe(1);
  expect(filesIn(place)).toEqual([]);
});

test('a full folder begins anew', () => {
  const place = newPlace();
  mkdirSync(place.kept, { recursive: true });
  for (let i = 0; i < 1000; i++) writeFileSync(join(place.kept, `an-older-release-${i}`), '');
  run(place);
  expect(filesIn(place)).toHaveLength(1);
});
