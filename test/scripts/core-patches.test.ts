import { resolve } from 'node:path';
import type * as core from '@google/gemini-cli-core';
import { expect, test } from 'vitest';
import { loadScript } from '../../src/boot/load-script.js';

type Core = typeof core;

const ours = loadScript(resolve('dist/core/core.cjs')) as Core;
ours.debugLogger.log = () => {};

/** What core itself says: command, whether it cannot be parsed, whether it is redirected, its commands, their names. */
const commands: readonly [string, boolean, boolean, string[], string[]][] = [
  ['ls', false, false, ['ls'], ['ls']],
  ['cd /tmp && ls -l | grep x > out.txt', false, true, ['cd /tmp', 'ls -l', 'grep x'], ['cd', 'ls', 'grep']],
  ['echo "a > b"', false, false, ['echo "a > b"'], ['echo']],
  ['cat <<< text', false, true, ['cat <<< text'], ['cat']],
  ['echo ${x@P}', true, false, [], []],
  ['if then (', true, false, [], []],
];

test.each(commands)('what our bundle of core remembers of %s is what core says', async (command, ...expected) => {
  await ours.initializeShellParsers();
  const ask = () => [
    ours.parseCommandDetails(command)?.hasError,
    ours.hasRedirection(command),
    ours.splitCommands(command),
    ours.getCommandRoots(command),
  ];
  expect(ask()).toEqual(expected);
  expect(ask()).toEqual(expected);
});

test('whoever asks what a command consists of may change the answer', async () => {
  await ours.initializeShellParsers();
  const first = ours.parseCommandDetails('git status --short');
  first?.details[0]?.args?.push('changed');
  first?.details.pop();
  expect(ours.parseCommandDetails('git status --short')?.details).toEqual([
    { name: 'git', text: 'git status --short', startIndex: 0, args: ['status', '--short'] },
  ]);
});

test('a context of core lasts as long as what runs in it, also next to another', async () => {
  const { promptIdContext } = ours;
  let end = (): void => {};
  const ended = new Promise<void>((resolved) => (end = resolved));
  const first = promptIdContext.run('first', async () => {
    await ended;
    return promptIdContext.getStore();
  });
  expect(promptIdContext.run('second', () => promptIdContext.getStore())).toBe('second');
  const nested = promptIdContext.run('outer', async () => {
    const inner = await promptIdContext.run('inner', async () => promptIdContext.getStore());
    return [inner, promptIdContext.getStore()];
  });
  expect(await nested).toEqual(['inner', 'outer']);
  expect(() =>
    promptIdContext.run('third', () => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  end();
  expect(await first).toBe('first');
  expect(promptIdContext.getStore()).toBeUndefined();
});
