import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * How many times the space has grown. It may double once anyway, because V8 counts its second half when it is used. The options of
 * V8 belong to the process, so each of these is its own.
 */
function growthAfter(work: string): number {
  const module = pathToFileURL(resolve('src/boot/young-generation.ts')).href;
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { YoungGeneration } from '${module}';
    const young = new YoungGeneration();
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    const kept = [];
    const keepMuch = () => { for (let i = 0; i < 1_000_000; i++) kept.push({ i }); };
    const begun = size();
    ${work}
    console.log(size() / begun);`;
  return Number(
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

test('the space for new objects does not grow while code is loaded', () => {
  expect(growthAfter('keepMuch();')).toBeGreaterThan(2);
  expect(growthAfter('young.limit(); young.whileSmall(keepMuch); keepMuch();')).toBeLessThanOrEqual(2);
});

test('it grows by work once the code has settled', () => {
  const work = `young.limit();
    young.whileSmall(keepMuch);
    while (size() <= 2 * begun) {
      keepMuch();
      kept.length = 0;
      await new Promise(setImmediate);
    }`;
  expect(growthAfter(work)).toBeGreaterThan(2);
});

test('without a limit, V8 decides', () => {
  expect(growthAfter('young.whileSmall(keepMuch);')).toBeGreaterThan(2);
});
