import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { distrustOf, settingsPaths } from '../../../../src/engine/headless/settings/settings-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { settingsFolder } from './settings-folder.js';

const places = {
  defaults: 'system/system-defaults.json',
  user: 'home/.gemini/settings.json',
  workspace: 'workspace/.gemini/settings.json',
  system: 'system/settings.json',
};

const names = (name: string) => ({ model: { name } });

test.each([
  ['only defaults', ['defaults'], 'defaults'],
  ['the user beats defaults', ['defaults', 'user'], 'user'],
  ['the workspace beats the user', ['defaults', 'user', 'workspace'], 'workspace'],
  ['the system beats everybody', ['defaults', 'user', 'workspace', 'system'], 'system'],
] as const)('precedence: %s', (_name, present, winner) => {
  const { load } = settingsFolder(Object.fromEntries(present.map((place) => [places[place], names(place)])));
  expect(load().settings.model?.name).toBe(winner);
});

test('a workspace that is not trusted sets nothing, and cannot make itself trusted', () => {
  const { load } = settingsFolder({
    [places.user]: { security: { folderTrust: { enabled: true } } },
    [places.workspace]: { ...names('workspace'), security: { folderTrust: { enabled: false } }, nonsense: 1 },
  });
  const asked: boolean[] = [];
  const loaded = load({ isTrusted: (enabled) => asked.push(enabled) < 0 });
  expect(asked).toEqual([true]);
  expect(loaded).toMatchObject({ trusted: false, ignored: [], problems: [] });
  expect(loaded.settings.model).toBeUndefined();
});

test('folder trust is on unless the operator switches it off', () => {
  const asked: boolean[] = [];
  const isTrusted = (enabled: boolean) => asked.push(enabled) > 0;
  settingsFolder({}).load({ isTrusted });
  settingsFolder({ [places.user]: { security: { folderTrust: { enabled: false } } } }).load({ isTrusted });
  expect(asked).toEqual([true, false]);
});

test('lists are replaced, united or joined as the Gemini CLI does, MCP servers by name', () => {
  const hook = (command: string) => ({ hooks: [{ type: 'command', command }] });
  const { load } = settingsFolder({
    [places.user]: {
      tools: { exclude: ['a', 'b'], allowed: ['x'] },
      context: { includeDirectories: ['/one'] },
      mcpServers: { one: { command: 'one', args: ['1'] }, two: { command: 'two' } },
      mcp: { allowed: ['One', 'two'], excluded: ['bad'] },
      hooks: { BeforeTool: [hook('user')] },
    },
    [places.workspace]: {
      tools: { exclude: ['b', 'c'], allowed: ['y'] },
      context: { includeDirectories: ['/two'] },
      mcpServers: { one: { url: 'http://localhost' } },
      mcp: { allowed: ['one ', 'three'], excluded: ['worse'] },
      hooks: { BeforeTool: [hook('workspace')] },
    },
  });
  const { settings, workspaceHooks } = load();
  expect(settings).toEqual({
    tools: { exclude: ['a', 'b', 'c'], allowed: ['y'] },
    context: { includeDirectories: ['/one', '/two'] },
    mcpServers: { one: { url: 'http://localhost' }, two: { command: 'two' } },
    mcp: { allowed: ['One'], excluded: ['bad', 'worse'] },
    hooks: { BeforeTool: [hook('user'), hook('workspace')] },
  });
  expect(workspaceHooks).toEqual({ BeforeTool: [hook('workspace')] });
});

test('what the server does not know is listed by its dotted path, once', () => {
  const { load } = settingsFolder({
    [places.user]: {
      $schema: 'https://example.com',
      ui: { theme: 'GitHub', footer: { hideCWD: true } },
      theme: 'old',
      general: { vimMode: true, checkpointing: { enabled: true, colour: 1 } },
    },
    [places.workspace]: { ui: { theme: 'Dracula' }, context: { fileName: 'OTHER.md', importFormat: 'flat' } },
  });
  const { ignored, settings } = load();
  expect(ignored).toEqual([
    'context.fileName',
    'general.checkpointing.colour',
    'general.vimMode',
    'theme',
    'ui.footer',
    'ui.theme',
  ]);
  expect(settings).toEqual({ general: { checkpointing: { enabled: true } }, context: { importFormat: 'flat' } });
});

test('a wrong value is left out and named with its file; the rest holds', () => {
  const { load, home } = settingsFolder({
    [places.user]: { model: { name: 5, maxSessionTurns: 3 }, tools: { exclude: ['a', 7], sandbox: 'docker' } },
  });
  const { settings, problems } = load();
  expect(settings).toEqual({ model: { maxSessionTurns: 3 }, tools: {} });
  expect(problems).toEqual([
    expect.stringContaining(`${home}/.gemini/settings.json: model.name: `),
    expect.stringContaining('tools.exclude.1: '),
    expect.stringContaining('tools.sandbox is set'),
  ]);
});

test('files may hold comments; one that is not JSON stops everything, with its name', () => {
  const text = `{ // the model\n "model": { "name": "a//b" /* not "c" */ }, "tools": {"allowed": ["\\"//"]} }`;
  expect(settingsFolder({ [places.user]: text }).load().settings).toEqual({
    model: { name: 'a//b' },
    tools: { allowed: ['"//'] },
  });
  for (const broken of ['{', '[]', 'null'])
    expect(() => settingsFolder({ [places.system]: broken }).load()).toThrow(/system\/settings\.json/);
});

test('variables are expanded, also those of .env, but never the secrets of the server', () => {
  const { load } = settingsFolder({
    'workspace/.env': "FROM_FILE=file\nSET=file\nDETOUR='$COSESSION_TOKEN'",
    [places.user]: {
      mcpServers: {
        one: {
          command: '$SET/${FROM_FILE}/${NONE:-default}/$NONE',
          env: { TOKEN: '$COSESSION_TOKEN$DETOUR' },
          timeout: 5,
        },
      },
    },
  });
  const { settings, env, dotEnv } = load({ env: { SET: 'really', COSESSION_TOKEN: 'secret' } });
  expect(settings.mcpServers?.['one']).toEqual({
    command: 'really/file/default/$NONE',
    env: { TOKEN: '' },
    timeout: 5,
  });
  expect(env).toMatchObject({ SET: 'really', FROM_FILE: 'file' });
  expect(dotEnv).toMatchObject({ SET: 'file', FROM_FILE: 'file' });
  expect(process.env).not.toHaveProperty('FROM_FILE');
});

test('a key named __proto__ changes no prototype', () => {
  const { load } = settingsFolder({
    [places.user]: '{"__proto__": {"model": {"name": "x"}}, "mcpServers": {"__proto__": {"command": "x"}}}',
  });
  expect(load().settings.model).toBeUndefined();
  expect({}).not.toHaveProperty('model');
});

test('when the workspace is the home folder its file is read once', () => {
  const { load, home } = settingsFolder({ [places.user]: { context: { includeDirectories: ['/one'] } } });
  expect(load({ workspace: home }).settings.context?.includeDirectories).toEqual(['/one']);
});

test.each([
  ['linux', {}, '/etc/gemini-cli/settings.json', '/etc/gemini-cli/system-defaults.json'],
  ['darwin', {}, '/Library/Application Support/GeminiCli/settings.json', undefined],
  ['linux', { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/a/b.json' }, '/a/b.json', '/a/system-defaults.json'],
  ['linux', { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/d.json' }, '/etc/gemini-cli/settings.json', '/d.json'],
])('the system files of %s with %o', (platform, env, system, defaults) => {
  const paths = settingsPaths('/home/me', '/work', env, platform);
  expect(paths).toMatchObject({ system, user: '/home/me/.gemini/settings.json' });
  if (defaults) expect(paths.defaults).toBe(defaults);
});

test('a system file that somebody but root may write is not read', () => {
  const folder = join(temporaryFolder(), 'etc');
  const file = join(folder, 'settings.json');
  mkdirSync(folder);
  expect(distrustOf(file)).toBeUndefined();
  writeFileSync(file, '{}');
  chmodSync(file, 0o666);
  expect(distrustOf(file)).toContain('is not read');
  chmodSync(file, 0o644);
  if (process.getuid?.() !== 0) return expect(distrustOf(file)).toContain('is not read');
  expect(distrustOf(file)).toBeUndefined();
  chownSync(file, 1000, 1000);
  expect(distrustOf(file)).toContain('is not read');
});
