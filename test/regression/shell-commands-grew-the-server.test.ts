import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { loadScript } from '../../src/boot/load-script.js';

type Core = {
  initializeShellParsers(): Promise<void>;
  getCommandRoots(command: string): string[];
};

const mebibyte = 1024 * 1024;

/** Core parses every shell command several times, and never freed the 13 KB that each time takes in WebAssembly. */
test('parsing shell commands takes no memory that is not given back', async () => {
  const core = loadScript(resolve('dist/core/core.cjs')) as Core;
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await core.initializeShellParsers();
  const parse = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i++) {
      expect(core.getCommandRoots(`cd /tmp && ls -l | grep ${i} > out.txt`)).toEqual(['cd', 'ls', 'grep']);
      if (i % 250 > 0) continue;
      collectGarbage();
      // What is collected is given back in a later tick.
      await new Promise(setImmediate);
    }
    return process.memoryUsage().external;
  };
  const before = await parse(500);
  expect((await parse(1500)) - before).toBeLessThan(mebibyte);
});
