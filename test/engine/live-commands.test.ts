import { expect, test } from 'vitest';
import { forClients, refusalOf } from '../../src/engine/live/client-commands.js';

const builtIn = (name: string, ...subs: string[]) => ({
  name,
  kind: 'built-in',
  subCommands: subs.map((sub) => ({ name: sub, kind: 'built-in', altNames: [`${sub}-too`] })),
});
const commands = [
  builtIn('help'),
  builtIn('vim'),
  builtIn('memory', 'show', 'inbox'),
  builtIn('model', 'set', 'manage'),
  builtIn('constructor'),
  builtIn('added-by-a-later-release'),
  { name: 'greet', kind: 'workspace-file' },
];

test.each(['help', 'help me', 'memory', 'memory show', 'memory show-too', 'model set x', 'greet Ada'])(
  'a client may run /%s',
  (line) => {
    expect(refusalOf(line, commands)).toBeUndefined();
  },
);

test.each([
  ['vim', "it changes the terminal's key bindings"],
  ['a2a off', 'it switches off the endpoint you are using; type it in the terminal'],
  ['memory inbox', expect.stringMatching(/^its result is for the terminal only.*; clients may run \/memory show$/)],
  ['memory inbox-too', expect.stringContaining('for the terminal only')],
  ['memory\ninbox', expect.stringContaining('for the terminal only')],
  ['model', expect.stringMatching(/; clients may run \/model set$/)],
  ['model manage', expect.stringContaining('for the terminal only')],
  ['constructor', expect.stringContaining('for the terminal only')],
  ['added-by-a-later-release', expect.stringContaining('for the terminal only')],
  ['nonsense', 'there is no such command'],
])('a client may not run /%s', (line, why) => {
  expect(refusalOf(line, commands)).toEqual(why);
});

test('clients are listed what they may run', () => {
  const listed = forClients(commands).map(({ name, subCommands = [] }) => [
    name,
    ...subCommands.map((sub) => sub.name),
  ]);
  expect(listed).toEqual([['help'], ['memory', 'show'], ['model', 'set'], ['greet']]);
});
