import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@google/gemini-cli-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer, type ModelServer } from '../../../support/model-server.js';
import type { CommandContext } from '../../../../src/engine/headless/commands/command.js';
import { keepRestorePoints } from '../../../../src/engine/headless/commands/restore-points.js';
import { commandRegistry } from '../../../../src/engine/headless/commands/registry.js';
import { core, home, openConfig } from '../../../support/headless-config.js';
import { mcpServerProgram } from '../../../support/mcp-server.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(() => ({ chunks: [[{ text: 'hello' }]] }));
});
afterAll(() => model.close());

const registry = commandRegistry();

function context(config: Config, more: Partial<CommandContext> = {}): CommandContext & { readonly said: string[] } {
  const said: string[] = [];
  const signal = new AbortController().signal;
  return { core, config, extensions: [], usage: {}, say: (text) => said.push(text), signal, ...more, said };
}

test('/memory show, list, refresh and add', async () => {
  const { config, workspace } = await openConfig({ 'GEMINI.md': 'use tabs' }, model.url);
  const other = await openConfig({ 'GEMINI.md': 'use spaces' }, model.url);
  const run = (line: string) => registry.run(line, context(config));
  const file = join(workspace, 'GEMINI.md');

  expect(await run('/memory show')).toMatchObject({
    text: expect.stringContaining('use tabs'),
    data: { memory: expect.stringContaining('use tabs'), files: [file] },
  });
  expect(await run('/memory list')).toMatchObject({ text: expect.stringContaining(file), data: { files: [file] } });

  writeFileSync(file, 'use both');
  expect((await run('/memory refresh')).text).toContain('Memory reloaded');
  expect((await run('/memory show')).text).toContain('use both');

  const added = await run('/memory add the API is at\n## Section port 81');
  expect(added).toMatchObject({ data: { fact: 'the API is at ## Section port 81' } });
  expect((await run('/memory show')).text).toContain('- the API is at ## Section port 81');
  expect(readFileSync(file, 'utf8')).toBe('use both');

  await registry.run('/memory refresh', context(other.config));
  expect((await registry.run('/memory show', context(other.config))).text).not.toContain('port 81');
});

test('/init hands the model a prompt, unless there is a GEMINI.md', async () => {
  const { config, workspace } = await openConfig({}, model.url);
  const first = await registry.run('/init', context(config));
  expect(first.prompt).toContain('GEMINI.md');
  expect(existsSync(join(workspace, 'GEMINI.md'))).toBe(false);
  writeFileSync(join(workspace, 'GEMINI.md'), 'here');
  const second = await registry.run('/init', context(config));
  expect(second).toMatchObject({ text: expect.stringContaining('already exists') });
  expect(second.prompt).toBeUndefined();
});

test('/model shows and sets the model of one session', async () => {
  const { config } = await openConfig({}, model.url);
  const other = await openConfig({}, model.url);
  expect((await registry.run('/model', context(config))).data).toEqual({ model: 'gemini-2.5-flash' });
  expect((await registry.run('/model gemini-2.5-pro', context(config))).data).toEqual({ model: 'gemini-2.5-pro' });
  expect(config.getModel()).toBe('gemini-2.5-pro');
  expect(other.config.getModel()).toBe('gemini-2.5-flash');
  expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false);
});

test('/tools lists what the agent can do, with schemas', async () => {
  const { config } = await openConfig({}, model.url);
  const { text, data } = await registry.run('/tools', context(config));
  expect(text).toContain('run_shell_command (Shell)');
  expect(data?.['tools']).toContainEqual(
    expect.objectContaining({ name: 'read_file', parameterSchema: expect.objectContaining({ type: 'object' }) }),
  );
});

test("/mcp shows this session's own servers, and /mcp refresh starts them again", async () => {
  const program = join(home, 'mcp-server.mjs');
  writeFileSync(program, mcpServerProgram);
  const server = { command: process.execPath, args: [program] };
  const files = { '.gemini/settings.json': { mcpServers: { tiny: server, broken: { command: '/does/not/exist' } } } };
  const { config } = await openConfig(files, model.url);
  const other = await openConfig(files, model.url);
  const { data, text } = await registry.run('/mcp', context(config));
  expect(data).toMatchObject({
    servers: [
      { name: 'tiny', status: 'connected', tools: ['hello'] },
      { name: 'broken', status: 'disconnected', tools: [] },
    ],
  });
  expect(text).toContain('tiny (connected): hello');
  await other.config.dispose();
  expect((await registry.run('/mcp', context(config))).text).toContain('tiny (connected): hello');

  const refreshing = context(config);
  expect((await registry.run('/mcp refresh', refreshing)).text).toContain('tiny (connected): hello');
  expect(refreshing.said).toHaveLength(1);
  const none = await openConfig({}, model.url);
  expect((await registry.run('/mcp', context(none.config))).text).toBe('There are no MCP servers.');
});

test('/stats tells the tokens of the session', async () => {
  const { config } = await openConfig({}, model.url);
  const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 5 };
  const { text, data } = await registry.run('/stats', context(config, { usage }));
  expect(text).toContain('Input tokens: 100 (5 from the cache)');
  expect(data).toEqual({ model: 'gemini-2.5-flash', usage });
});

test('/compress replaces a long conversation by a summary, and leaves a short one', async () => {
  const { config } = await openConfig({}, model.url);
  const short = context(config);
  expect((await registry.run('/compress', short)).text).toContain('nothing to compress');
  expect(short.said).toEqual(['Compressing the conversation…']);

  const talk = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'model',
    parts: [{ text: `message ${index}: ${'many words '.repeat(400)}` }],
  }));
  config.geminiClient.setHistory(talk);
  const { data, text } = await registry.run('/compress', context(config));
  expect(text).toMatch(/went from \d+ to \d+ tokens/);
  expect(data?.['newTokenCount']).toBeLessThan(Number(data?.['originalTokenCount']));
  expect(JSON.stringify(config.geminiClient.getHistory())).not.toContain('message 3:');
});

test('/restore lists checkpoints and takes files and conversation back', async () => {
  const { config, workspace } = await openConfig(
    { 'a.txt': 'before', '.gemini/settings.json': { general: { checkpointing: { enabled: true } } } },
    model.url,
  );
  const run = (line: string) => registry.run(line, context(config));
  expect(await run('/restore')).toMatchObject({ data: { checkpoints: [] } });

  const args = { file_path: join(workspace, 'a.txt'), content: 'after' };
  const client = config.geminiClient;
  client.setHistory([
    { role: 'user', parts: [{ text: 'the question' }] },
    { role: 'model', parts: [{ functionCall: { id: '1', name: 'write_file', args } }] },
  ]);
  const call = { callId: '1', name: 'write_file', args };
  await keepRestorePoints(core, config, [call, { callId: '2', name: 'read_file', args }], 'p');
  writeFileSync(join(workspace, 'a.txt'), 'after');
  client.setHistory([{ role: 'user', parts: [{ text: 'something else' }] }]);

  const { data } = await run('/restore');
  expect(data?.['checkpoints']).toEqual([expect.stringContaining('a.txt-write_file')]);
  const [name = ''] = (data?.['checkpoints'] ?? []) as string[];
  await expect(run(`/restore ${name}x`)).rejects.toMatchObject({ message: expect.stringContaining(`mean ${name}?`) });
  await expect(run('/restore ../../settings')).rejects.toMatchObject({ code: 'bad-request' });

  expect(await run(`/restore ${name}`)).toMatchObject({ data: { toolCall: { name: 'write_file', args } } });
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('before');
  expect(
    client.getHistory().map(({ role, parts = [] }) => [role, ...parts.flatMap((part) => Object.keys(part))]),
  ).toEqual([
    ['user', 'text'],
    ['model', 'functionCall'],
    ['user', 'functionResponse'],
  ]);
  expect(JSON.stringify(client.getHistory())).not.toContain('something else');
});

test('without checkpointing /restore says what is off', async () => {
  const { config } = await openConfig({}, model.url);
  expect((await registry.run('/restore', context(config))).text).toContain('general.checkpointing.enabled');
});

test('a custom command reads files of the workspace only, and asks before it runs anything', async () => {
  const { config, settings } = await openConfig(
    {
      'notes.txt': 'the notes',
      'secret.txt': 'ignored',
      '.geminiignore': 'secret.txt',
      '.gemini/commands/look.toml': 'prompt = "Notes: @{notes.txt} @{secret.txt} @{/etc/hostname} @{../x}"',
      '.gemini/commands/run.toml': 'prompt = "Out: !{printf %s {{args}}}"',
    },
    model.url,
  );
  const own = commandRegistry(settings.customCommands);

  const looking = context(config);
  const { prompt } = await own.run('/look at it', looking);
  expect(prompt).toContain('the notes');
  expect(prompt).toContain('@{/etc/hostname} @{../x}\n\n/look at it');
  expect(prompt).not.toContain('ignored');
  expect(looking.said).toHaveLength(3);

  const words = 'it\'s; $(touch evil) `touch evil` "two" $HOME';
  const runShell = (command: string) => Promise.resolve(execFileSync('bash', ['-c', command], { encoding: 'utf8' }));
  expect((await own.run(`/run ${words}`, context(config, { runShell }))).prompt).toBe(`Out: ${words}`);
  await expect(own.run('/run x', context(config))).rejects.toMatchObject({ code: 'command-refused' });
});
