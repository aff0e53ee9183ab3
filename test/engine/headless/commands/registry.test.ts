import { expect, test } from 'vitest';
import { commandRegistry } from '../../../../src/engine/headless/commands/registry.js';
import type { CommandContext, HeadlessCommand } from '../../../../src/engine/headless/commands/command.js';
import type { Extension } from '../../../../src/engine/headless/settings/extensions.js';
import { AppError } from '../../../../src/domain/errors.js';
import { core } from '../../../support/headless-config.js';

const extension = (name: string, isActive: boolean): Extension => ({
  name,
  isActive,
  version: '1.0.0',
  path: '/nowhere',
  installMetadata: undefined,
  mcpServers: {},
  contextFiles: [],
  excludeTools: [],
  resolvedSettings: [],
  variables: {},
});

const withoutTask: CommandContext = {
  core,
  extensions: [extension('my-extension', true), extension('asleep', false)],
  usage: {},
  say() {},
  signal: new AbortController().signal,
};

const echo: HeadlessCommand = {
  name: 'echo',
  description: 'Says it again',
  arguments: [
    { name: 'first', description: 'a word', isRequired: true },
    { name: 'rest', description: 'the rest', isRequired: false, takesRest: true },
  ],
  subCommands: [],
  action: { needsTask: false, run: (_context, args) => Promise.resolve({ text: JSON.stringify(args) }) },
};

const registry = commandRegistry([echo]);

test.each(['list-extensions', '/extensions list', '  /extensions   list '])(
  'S3 %s works without a task',
  async (line) => {
    const { data } = await registry.run(line, withoutTask);
    expect(data).toEqual({
      extensions: [
        { name: 'my-extension', version: '1.0.0', enabled: true },
        { name: 'asleep', version: '1.0.0', enabled: false },
      ],
    });
  },
);

test('S4 every command is listed with its arguments and subcommands', () => {
  const listed = registry.list();
  expect(listed.map(({ name }) => name)).toEqual([
    'compress',
    'echo',
    'extensions',
    'help',
    'init',
    'list-extensions',
    'mcp',
    'memory',
    'model',
    'restore',
    'stats',
    'tools',
  ]);
  expect(listed.find(({ name }) => name === 'memory')).toMatchObject({
    arguments: [],
    subCommands: [
      { name: 'show' },
      { name: 'refresh' },
      { name: 'list' },
      { name: 'add', arguments: [{ name: 'text', description: 'the fact', isRequired: true }] },
    ],
  });
});

test('help has a line for each command, with its arguments', async () => {
  const { text, data } = await registry.run('/help', withoutTask);
  expect(text).toContain('/memory add <text>  Adds a fact');
  expect(text).toContain('/model [name]  ');
  expect(text).not.toMatch(/^\/memory {2}/m);
  expect(data?.['commands']).toEqual(registry.list());
});

test.each([
  ['echo one', { first: 'one' }],
  ['/echo  one   two  three ', { first: 'one', rest: 'two  three' }],
])('arguments of %j', async (line, expected) => {
  expect(JSON.parse((await registry.run(line, withoutTask)).text)).toEqual(expected);
});

test.each([
  ['/memoy show', 'unknown-command', 'there is no command /memoy; did you mean /memory?'],
  ['/memory shw', 'unknown-command', 'there is no command /memory shw; did you mean /memory show?'],
  ['/memory', 'unknown-command', '/memory needs a subcommand; choose one of show, refresh, list, add'],
  ['/mcp refesh', 'unknown-command', 'there is no command /mcp refesh; did you mean /mcp refresh?'],
  ['/xyzzy', 'unknown-command', 'there is no command /xyzzy; choose one of compress, echo, '],
  ['/', 'unknown-command', 'choose one of compress'],
  ['/constructor', 'unknown-command', 'there is no command /constructor'],
  ['/memory add', 'bad-request', '<text> is missing; usage: /memory add <text>'],
  ['/echo', 'bad-request', '<first> is missing; usage: /echo <first> [rest]'],
  ['/model a b', 'bad-request', 'unexpected "b"; usage: /model [name]'],
])('%s is refused, with what would be right', async (line, code, message) => {
  const refusal = registry.refusalOf(line);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) });
  await expect(registry.run(line, withoutTask)).rejects.toMatchObject({ code });
});

test('a command that works on a task says so when there is none', async () => {
  expect(registry.refusalOf('/memory show')).toBeUndefined();
  await expect(registry.run('/memory show', withoutTask)).rejects.toMatchObject({
    code: 'bad-request',
    message: '/memory show needs a task; name one',
  });
});
