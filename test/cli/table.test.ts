import { describe, expect, test } from 'vitest';
import type { CliCommand } from '../../src/cli/argv/command.js';
import { type CommandName, commands } from '../../src/cli/argv/commands.js';
import { commandHelp, overview, usageLineOf } from '../../src/cli/argv/help.js';
import { liveFlags } from '../../src/cli/argv/live-flags.js';
import { parseBesides, parseCommand, variableOf } from '../../src/cli/argv/parse.js';

const names = Object.keys(commands) as CommandName[];

describe.each(names)('cosession %s', (name) => {
  const command: CliCommand = commands[name];
  const flags = Object.values(command.flags);

  test('has a help with every flag, variable and operand, and no line that runs into the next column', () => {
    const help = commandHelp(name);
    expect(help).toContain(`  cosession ${name}${command.operands === undefined ? '' : ` ${command.operands}`}`);
    for (const flag of flags) expect(help).toMatch(new RegExp(`^ {2}${usageLineOf(flag)} {2,}\\S`, 'm'));
    for (const variable of Object.keys(command.variables ?? {})) expect(help).toContain(variable);
  });

  test('has defaults that it would take from a user, and no flag or variable twice', () => {
    expect(() => parseCommand(name, command, name === 'token' ? ['list'] : [], {})).not.toThrow();
    expect(new Set(flags.map((flag) => flag.name)).size).toBe(flags.length);
    const variables = flags.flatMap((flag) => variableOf(flag, command.envPrefix) ?? []);
    expect(new Set(variables).size).toBe(variables.length);
    for (const flag of flags) expect(flag.type === 'switch').toBe(flag.value === undefined);
  });
});

test('the overview has every command and every flag of cosession itself', () => {
  const help = overview('/docs/README.md');
  for (const name of names) expect(help).toMatch(new RegExp(`^ {2}${name}\\b.* {2,}\\S`, 'm'));
  for (const flag of Object.values(liveFlags))
    expect(help).toMatch(new RegExp(`^ {2}${usageLineOf(flag)} {2,}\\S`, 'm'));
});

const serve = (argv: string[], env: Record<string, string>) => parseCommand('serve', commands.serve, argv, env).flags;

test('variables set what flags set, flags come first, and lists are separated by commas', () => {
  const env = {
    CODER_AGENT_PORT: '7',
    COSESSION_ALLOW_TOOL: 'a,b',
    COSESSION_DEMO: '1',
    COSESSION_ISOLATE: 'false',
    COSESSION_IDLE_MINUTES: '2',
    COSESSION_MAX_TURNS: '',
  };
  const given = { port: 7, allowTools: ['a', 'b'], demo: true, isolate: false, idleMs: 120_000, maxRunning: 32 };
  expect(serve([], env)).toMatchObject(given);
  expect(serve([], env)).not.toHaveProperty('turnsPerTask');
  expect(serve(['--port', '8', '--allow-tool', 'c', '--allow-tool=d'], env)).toMatchObject({
    port: 8,
    allowTools: ['c', 'd'],
  });
});

test('a variable that is wrong is named', () => {
  expect(() => serve([], { COSESSION_MAX_RUNNING: 'many' })).toThrow('COSESSION_MAX_RUNNING must be a number');
  expect(() => serve([], { COSESSION_TRUST: 'some' })).toThrow('COSESSION_TRUST must be settings, all or none');
  expect(() => serve([], { COSESSION_CARD_KEY: '/nowhere' })).toThrow('COSESSION_CARD_KEY: /nowhere cannot be read');
});

test('variables are for the server: the terminal does not read them', () => {
  expect(Object.values(liveFlags).map((flag) => variableOf(flag, undefined))).not.toContain(expect.any(String));
  expect(parseBesides('cosession', liveFlags, []).flags).toEqual({
    requireToken: false,
    pushAllow: [],
    alertAllow: [],
    turnEnd: 'completed',
    acpV2: false,
    noPage: false,
    host: '127.0.0.1',
    demo: false,
  });
});
