import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCustomCommands } from '../../../../src/engine/headless/commands/custom-commands.js';
import { readExtensions } from '../../../../src/engine/headless/settings/extensions.js';
import { settingsFolder } from '../settings/settings-folder.js';

const toml = (prompt: string, description?: string) =>
  `prompt = '''${prompt}'''\n${description === undefined ? '' : `description = "${description}"\n`}`;

function read(files: Readonly<Record<string, string | object>>, trusted = true) {
  const { home, workspace, load } = settingsFolder(files);
  const { extensions } = readExtensions({ home, workspace, ...load() });
  return readCustomCommands({ home, workspace, trusted, extensions });
}

const names = (files: Readonly<Record<string, string | object>>, trusted?: boolean) =>
  read(files, trusted).commands.map(({ name }) => name);

const manifest = { name: 'gcp', version: '1.0.0' };
const extension = {
  'home/.gemini/extensions/gcp/gemini-extension.json': manifest,
  'home/.gemini/extensions/gcp/commands/deploy.toml': toml('deploy'),
};

test('folders are namespaces, and odd characters cannot make a name', () => {
  const files = {
    'home/.gemini/commands/review.toml': toml('Review', 'Reviews  the\\tchange'),
    'home/.gemini/commands/git/commit.toml': toml('Commit'),
    'home/.gemini/commands/my own/a b.toml': toml('x'),
    'home/.gemini/commands/readme.md': 'no command',
  };
  const { commands, problems } = read(files);
  expect(commands.map(({ name, description }) => [name, description])).toEqual([
    ['git:commit', 'Custom command from commit.toml'],
    ['my_own:a_b', 'Custom command from a b.toml'],
    ['review', 'Reviews the change'],
  ]);
  expect(problems).toEqual([]);
});

test('commands come from the user, the workspace and active extensions', () => {
  const files = {
    ...extension,
    'home/.gemini/commands/mine.toml': toml('mine'),
    'workspace/.gemini/commands/ours.toml': toml('ours'),
  };
  expect(names(files)).toEqual(['mine', 'ours', 'deploy']);
  expect(read(files).commands.at(-1)?.description).toBe('[gcp] Custom command from deploy.toml');
  const asleep = { 'home/.gemini/extensions/extension-enablement.json': { gcp: { overrides: ['!/*'] } } };
  expect(names({ ...files, ...asleep })).toEqual(['mine', 'ours']);
});

test('in a workspace that is not trusted only the commands of the user are there', () => {
  const files = {
    ...extension,
    'home/.gemini/commands/mine.toml': toml('mine'),
    'workspace/.gemini/commands/ours.toml': toml('ours'),
  };
  expect(names(files, false)).toEqual(['mine']);
});

test('a built-in command keeps its name; others that share one are known by where they come from', () => {
  expect(
    names({
      ...extension,
      'home/.gemini/commands/help.toml': toml('x'),
      'home/.gemini/commands/deploy.toml': toml('x'),
      'workspace/.gemini/commands/deploy.toml': toml('x'),
      'workspace/.gemini/commands/workspace.deploy.toml': toml('x'),
    }),
  ).toEqual(['user.deploy', 'user.help', 'workspace.deploy', 'workspace.workspace.deploy', 'gcp:deploy']);
});

test('a file that is no command is named with the reason, and the others are there', () => {
  const { commands, problems } = read({
    'home/.gemini/commands/a.toml': 'prompt = ',
    'home/.gemini/commands/b.toml': 'description = "no prompt"',
    'home/.gemini/commands/c.toml': toml('!{never closed'),
    'home/.gemini/commands/d.toml': toml('good'),
  });
  expect(commands.map(({ name }) => name)).toEqual(['d']);
  expect(problems.map((problem) => /(\w)\.toml is no command/.exec(problem)?.[1])).toEqual(['a', 'b', 'c']);
});

test('linked folders are followed, a circle of links ends', () => {
  const { home, workspace } = settingsFolder({
    'home/.gemini/commands/x.toml': toml('x'),
    'workspace/shared/deep/y.toml': toml('y'),
  });
  symlinkSync(join(workspace, 'shared'), join(home, '.gemini/commands/team'));
  symlinkSync(join(home, '.gemini/commands'), join(workspace, 'shared/deep/back'));
  const { commands } = readCustomCommands({ home, workspace, trusted: false, extensions: [] });
  expect(commands.map(({ name }) => name)).toEqual(['team:deep:y', 'x']);
});
