import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer, type ModelServer } from '../../../support/model-server.js';
import { decideTrust } from '../../../../src/engine/headless/settings/trust.js';
import { core, home, openConfig, write } from '../../../support/headless-config.js';

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer(() => ({ chunks: [[{ text: 'hello' }]] }));
  write(home, {
    '.gemini/extensions/helper/gemini-extension.json': { name: 'helper', version: '1.0.0' },
    '.gemini/trustedFolders.json': { '/trusted': 'TRUST_FOLDER', '/trusted/not': 'DO_NOT_TRUST' },
    '.gemini/extensions/helper/GEMINI.md': 'what the extension says',
    '.gemini/extensions/helper/skills/dance/SKILL.md': '---\nname: dance\ndescription: how to dance\n---\nstep',
    '.gemini/extensions/asleep/gemini-extension.json': { name: 'asleep', version: '2.0.0' },
    '.gemini/extensions/extension-enablement.json': { asleep: { overrides: ['!/*'] } },
  });
});
afterAll(() => model.close());

test('[003-7] settings of a workspace reach the core: memory, tools, approval mode, extensions, hooks, environment', async () => {
  const { config, workspace } = await openConfig(
    {
      'GEMINI.md': 'what the workspace says',
      '.env': 'GREETING=hello\nMY_TOKEN=secret',
      '.gemini/settings.json': {
        model: { name: 'gemini-2.5-pro', maxSessionTurns: 7 },
        general: { defaultApprovalMode: 'auto_edit', checkpointing: { enabled: false } },
        tools: { exclude: ['write_file'] },
        hooks: { BeforeTool: [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }] },
      },
    },
    model.url,
  );
  expect(config.getTargetDir()).toBe(workspace);
  expect(config.getModel()).toBe('gemini-2.5-pro');
  expect(config.getMaxSessionTurns()).toBe(7);
  expect(config.getApprovalMode()).toBe('autoEdit');
  expect(config.getHooks()).toHaveProperty('BeforeTool');
  expect(core.showMemory(config).content).toContain('what the workspace says');
  expect(core.showMemory(config).content).toContain('what the extension says');
  expect(config.toolRegistry.getAllToolNames()).not.toContain('write_file');
  expect(config.toolRegistry.getAllToolNames()).toContain('read_file');
  expect(config.getExtensions().map(({ name, isActive }) => [name, isActive])).toEqual([
    ['asleep', false],
    ['helper', true],
  ]);
  expect(
    config
      .getSkillManager()
      .getSkills()
      .map(({ name }) => name),
  ).toContain('dance');
});

test('a shell tool sees .env without its secrets, and nothing of the server; a hook sees no secret either', async () => {
  process.env['COSESSION_STORE'] = 'the server';
  const command = 'env > hook-env';
  const { config, workspace } = await openConfig(
    {
      '.env': 'GREETING=hello\nMY_TOKEN=secret',
      '.gemini/settings.json': { hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } },
    },
    model.url,
  );
  const tool = config.toolRegistry.getTool('run_shell_command')?.build({ command: 'env' });
  const result = await tool?.execute({ abortSignal: new AbortController().signal });
  await config.getHookSystem()?.fireSessionStartEvent(core.SessionStartSource.Startup);
  delete process.env['COSESSION_STORE'];
  const seen = JSON.stringify(result?.returnDisplay);
  expect(seen).toContain('GREETING=hello');
  expect(seen).toContain('PATH=');
  expect(seen).not.toMatch(/secret|the server|test-key|GEMINI_CLI_HOME/);
  expect(readFileSync(join(workspace, 'hook-env'), 'utf8')).not.toMatch(/secret|the server|test-key/);
});

test('a workspace that is not trusted brings no memory, no settings, no hooks', async () => {
  const { config } = await openConfig(
    {
      'GEMINI.md': 'what the workspace says',
      '.gemini/settings.json': { model: { name: 'mine' }, general: { defaultApprovalMode: 'auto_edit' } },
    },
    model.url,
    false,
  );
  expect(config.isTrustedFolder()).toBe(false);
  expect(config.getModel()).not.toBe('mine');
  expect(config.getApprovalMode()).toBe('default');
  expect(core.showMemory(config).content).not.toContain('what the workspace says');
});

test("the operator's rule decides trust; only `settings` asks the user's trusted folders", () => {
  const ask = (rule: boolean | 'settings', workspace: string, folderTrustEnabled = true) =>
    decideTrust(rule, { workspace, folderTrustEnabled }, core);
  expect([ask(true, '/trusted/not'), ask(false, '/trusted')]).toEqual([true, false]);
  expect(['/trusted', '/trusted/deep', '/trusted/not', '/other'].map((path) => ask('settings', path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(ask('settings', '/other', false)).toBe(true);
});
