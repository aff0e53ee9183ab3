import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../support/model-server.js';
import { say } from '../../../../src/demo/reply.js';
import { readPlan } from '../../../../src/engine/gemini/read-plan.js';
import type { Argument } from '../../../../src/engine/headless/commands/command.js';
import { parseNamedArguments } from '../../../../src/engine/headless/commands/arguments.js';
import { sessionCommands } from '../../../../src/engine/headless/commands/session-commands.js';
import type { HeadlessCommands, OpenedCore } from '../../../../src/engine/headless/headless-options.js';
import { core, openConfig } from '../../../support/headless-config.js';
import { mcpPromptProgram } from '../../../support/mcp-prompt-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let model: ModelServer;
let opened: OpenedCore;
let commands: HeadlessCommands;
beforeAll(async () => {
  model = await startModelServer(() => ({ chunks: [[say('yes')]] }));
  const program = join(temporaryFolder(), 'server.mjs');
  writeFileSync(program, mcpPromptProgram);
  const reviews = { command: process.execPath, args: [program] };
  const { config, settings } = await openConfig({ '.gemini/settings.json': { mcpServers: { reviews } } }, model.url);
  opened = { core, config, rules: { mayAllowSession: true, mayAllowForever: false, fileExists: () => true, readPlan } };
  commands = sessionCommands(settings, config);
});
afterAll(() => model.close());

const run = (line: string): Promise<string | undefined> => {
  const { signal } = new AbortController();
  return commands.run(line, opened, { usage: {}, say: () => {}, found: () => {}, signal });
};

test('a prompt of an MCP server is a command with its arguments', () => {
  expect(commands.list().find(({ name }) => name === 'review')).toEqual({
    name: 'review',
    description: 'Reviews a file',
    arguments: [
      { name: 'file', description: 'which file', isRequired: true },
      { name: 'depth', description: '', isRequired: false },
    ],
    subCommands: [],
  });
});

test('run, it becomes what the server makes of the arguments, for the model', async () => {
  expect(await run('/review src/app.ts')).toBe('Review src/app.ts, not deep.');
  expect(await run('/review --depth=2 --file="src/my app.ts"')).toBe('Review src/my app.ts, 2 deep.');
});

test('a built-in command keeps its name', async () => {
  expect(await run('/help')).toBeUndefined();
  expect(await run('/reviews.help')).toBe('Please help.');
});

test('what is missing or unknown is told before the server is asked', () => {
  expect(commands.refusal('/review')).toBe('<file> is missing; usage: /review <file> [depth]');
  expect(commands.refusal('/review --line=3')).toContain('there is no argument "line"');
  expect(commands.refusal('/review "a b')).toContain('a quote is not closed');
  expect(commands.refusal('/review a b c')).toContain('unexpected "c"');
});

const expected: readonly Argument[] = [
  { name: 'a', description: '', isRequired: true },
  { name: 'b', description: '', isRequired: false },
];
test.each([
  ['one', { a: 'one' }],
  ['one two', { a: 'one', b: 'two' }],
  ['--b=two one', { a: 'one', b: 'two' }],
  ['--b=two one and more', { a: 'one and more', b: 'two' }],
  ['--a="one \\" two" x', { a: 'one " two', b: 'x' }],
  ['--a= x', { a: '', b: 'x' }],
])('%s', (text, args) => {
  expect(parseNamedArguments('p', expected, text)).toEqual(args);
});
