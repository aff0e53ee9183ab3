import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/argv/commands.js';
import { parseCommand } from '../../src/cli/argv/parse.js';
import { refuseTypos } from '../../src/cli/argv/typos.js';
import { UsageError } from '../../src/util/usage-error.js';

const geminis = new Set(['mcp', 'skills', '--debug', '--demon']);
const check = (...rest: string[]): void => refuseTypos(rest, (word) => geminis.has(word));

describe('beside the words of the Gemini CLI', () => {
  test.each([
    [['--a2a-prt', '1'], 'cosession has no flag --a2a-prt. Did you mean --a2a-port?'],
    [['--a2aport=1'], 'cosession has no flag --a2aport. Did you mean --a2a-port?'],
    [['--a2a-nonsense-of-some-length'], 'cosession has no flag --a2a-nonsense-of-some-length; see cosession --help'],
    [['-m', 'pro', '--gemini-cil', 'system'], 'cosession has no flag --gemini-cil. Did you mean --gemini-cli?'],
    [['--dmeo'], 'cosession has no flag --dmeo. Did you mean --demo?'],
    [['atach'], '"atach" is not a command. Did you mean cosession attach? To send it as a prompt: cosession -i atach'],
    [['lst'], 'Did you mean cosession ls?'],
    [['hlep'], 'Did you mean cosession help?'],
    [['wacth', 'localhost:41243'], 'Did you mean cosession watch?'],
    [['sedn', 'fix the tests'], 'Did you mean cosession send?'],
    [['aprove', '2'], 'Did you mean cosession approve?'],
    [['tokn', 'create', '--name', 'ci'], 'Did you mean cosession token?'],
    [['atach', '--as', 'bob'], 'Did you mean cosession attach?'],
  ])('%j is refused', (rest, message) => {
    expect(() => check(...rest)).toThrow(UsageError);
    expect(() => check(...rest)).toThrow(message);
  });

  test.each([
    [[]],
    [['fix the tests']],
    [['hello']],
    [['mcp']],
    [['catch', 'errors', 'in', 'main.ts']],
    [['attach the log']],
    [['--debug', '--demon']],
    [['--model', 'pro', 'atach']],
    [['--', 'atach', '--a2a-prt']],
    [['-i', 'atach']],
    [['--no-such-flag-of-anybody']],
    [['-p', '--a2a-prt is what I typed']],
  ])('%j goes on', (rest) => {
    expect(() => check(...rest)).not.toThrow();
  });
});

test.each([
  [
    'serve',
    ['--approval-timout', '5'],
    'cosession serve has no flag --approval-timout. Did you mean --approval-timeout?',
  ],
  ['serve', ['--no-such'], 'cosession serve has no flag --no-such; see cosession serve --help'],
  ['serve', ['41242'], 'cosession serve takes only flags, got "41242"; see cosession serve --help'],
  ['watch', ['--jsno'], 'cosession watch has no flag --jsno. Did you mean --json?'],
  ['ls', ['--josn'], 'cosession ls has no flag --josn. Did you mean --json?'],
  ['attach', ['one', 'two'], 'cosession attach takes [session], got "two"; see cosession attach --help'],
  ['approve', ['1', '2'], 'cosession approve takes [url] [option], got "2"'],
  ['send', ['--as'], '--as needs a value; see cosession send --help'],
] as const)('cosession %s %j is refused', (name, argv, message) => {
  expect(() => parseCommand(`cosession ${name}`, commands[name], argv, {})).toThrow(message);
});

test('behind -- everything is a word, also what looks like an address or a flag', () => {
  const given = parseCommand('cosession send', commands.send, ['--json', '--', 'http://x/', '--as'], {});
  expect(given).toEqual({ flags: expect.objectContaining({ json: true }), words: ['http://x/', '--as'] });
});
