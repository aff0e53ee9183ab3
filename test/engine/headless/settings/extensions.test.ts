import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isEnabled } from '../../../../src/engine/headless/settings/extension-enablement.js';
import { readExtensions } from '../../../../src/engine/headless/settings/extensions.js';
import { settingsFolder } from './settings-folder.js';

const at = (name: string, file: string) => `home/.gemini/extensions/${name}/${file}`;
const manifest = (name: string, more: object = {}) => ({ name, version: '1.2.3', ...more });

test('an extension brings MCP servers, context files and excluded tools, with its variables filled in', () => {
  const { home, workspace, load } = settingsFolder({
    [at('tools', 'gemini-extension.json')]: manifest('tools', {
      mcpServers: {
        one: {
          command: 'node',
          args: ['${extensionPath}${/}server.js', '$TOOLS_PORT', '${workspacePath}'],
          trust: true,
        },
      },
      contextFileName: ['NOTES.md', '../secret.md', 'none.md'],
      excludeTools: ['run_shell_command(rm -rf)'],
      settings: [{ name: 'Port', description: 'where', envVar: 'TOOLS_PORT' }],
    }),
    [at('tools', 'NOTES.md')]: 'notes',
    [at('tools', '.env')]: 'TOOLS_PORT=81',
    'home/.gemini/extensions/secret.md': 'secret',
  });
  const { extensions, problems } = readExtensions({ home, workspace, ...load() });
  const path = join(home, '.gemini/extensions/tools');
  expect(problems).toEqual([]);
  expect(extensions).toMatchObject([
    {
      name: 'tools',
      version: '1.2.3',
      isActive: true,
      path,
      mcpServers: { one: { command: 'node', args: [`${path}/server.js`, '81', workspace] } },
      contextFiles: [join(path, 'NOTES.md')],
      excludeTools: ['run_shell_command(rm -rf)'],
      resolvedSettings: [{ name: 'Port', envVar: 'TOOLS_PORT', value: '81' }],
    },
  ]);
  expect(extensions[0]?.mcpServers['one']).not.toHaveProperty('trust');
});

test('a context file that is a link out of the extension is not read', () => {
  const { home, workspace, load } = settingsFolder({
    [at('a', 'gemini-extension.json')]: manifest('a'),
    'home/private.md': 'private',
  });
  symlinkSync(join(home, 'private.md'), join(home, '.gemini/extensions/a/GEMINI.md'));
  expect(readExtensions({ home, workspace, ...load() }).extensions[0]?.contextFiles).toEqual([]);
});

test('what cannot be read is named, and the other extensions are there', () => {
  const { home, workspace, load } = settingsFolder({
    [at('a', 'gemini-extension.json')]: '{',
    [at('b', 'gemini-extension.json')]: { name: 'b' },
    [at('c', 'gemini-extension.json')]: manifest('not allowed'),
    [at('d', 'gemini-extension.json')]: manifest('good'),
    [at('e', 'gemini-extension.json')]: manifest('good'),
    'home/.gemini/extensions/file': '',
  });
  mkdirSync(join(home, '.gemini/extensions/empty'));
  const { extensions, problems } = readExtensions({ home, workspace, ...load() });
  expect(extensions.map(({ name }) => name)).toEqual(['good']);
  expect(problems.map((problem) => problem.split(' ')[1])).toEqual(['a', 'b', 'c', 'e', 'empty']);
});

test('a linked extension is read where it is developed', () => {
  const { home, workspace, load } = settingsFolder({
    'workspace/mine/gemini-extension.json': manifest('mine'),
    'home/.gemini/extensions/mine/x': '',
  });
  const source = join(workspace, 'mine');
  const folder = settingsFolder({
    [at('mine', '.gemini-extension-install.json')]: { source, type: 'link' },
  });
  const { extensions } = readExtensions({ home: folder.home, workspace, ...load() });
  expect(extensions).toMatchObject([{ name: 'mine', path: source }]);
  expect(home).not.toBe(folder.home);
});

test.each([
  [{ blockGitExtensions: true }, ['local']],
  [{ allowedExtensions: ['^https://github.com/good/'] }, ['remote']],
  [{ allowedExtensions: ['^https://github.com/other/'] }, []],
  [{}, ['local', 'remote']],
])('the operator decides where extensions come from: %o', (security, expected) => {
  const { home, workspace, load } = settingsFolder({
    'home/.gemini/settings.json': { security },
    [at('local', 'gemini-extension.json')]: manifest('local'),
    [at('remote', 'gemini-extension.json')]: manifest('remote'),
    [at('remote', '.gemini-extension-install.json')]: { source: 'https://github.com/good/one', type: 'git' },
  });
  const { extensions } = readExtensions({ home, workspace, ...load() });
  expect(extensions.map(({ name }) => name)).toEqual(expected);
});

test.each([
  ['no rule', [], true],
  ['off everywhere', ['!/*'], false],
  ['off everywhere, on here', ['!/*', '/home/me/work/*'], true],
  ['off in this folder only', ['!/home/me/work/'], false],
  ['off below this folder', ['!/home/me/*'], false],
  ['off in another folder', ['!/home/you/*'], true],
  ['the last rule wins', ['/home/me/work/', '!/home/me/*'], false],
  ['a dot is a dot', ['!/home/me.work/'], true],
])('enablement: %s', (_name, overrides, expected) => {
  expect(isEnabled('x', '/home/me/work', { x: { overrides } })).toBe(expected);
});
