import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveFlags } from '../../src/cli/argv/live-flags.js';
import { parseBesides } from '../../src/cli/argv/parse.js';
import { whyNotShareable } from '../../src/cli/argv/shareable.js';
import { aliasFor } from '../../src/cli/commands/alias.js';
import { stateDir } from '../../src/config/state-dir.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const parse = (argv: readonly string[]) => parseBesides('cosession', liveFlags, argv);

describe('[000-2.1] flags', () => {
  test.each([
    [[], {}, []],
    [['--a2a-port', '1234'], { port: 1234 }, []],
    [['--a2a-port=0', '-m', 'pro', 'explain this'], { port: 0 }, ['-m', 'pro', 'explain this']],
    [['--yolo', '--a2a-port', '1', '--demo'], { port: 1, demo: true }, ['--yolo']],
    [['--gemini-cli', 'system', '--a2a-require-token'], { geminiCli: 'system', requireToken: true }, []],
    [
      ['--grpc-port', '0', '--push-allow', 'http://a/', '--push-allow=http://b/'],
      { grpcPort: 0, pushAllow: ['http://a/', 'http://b/'] },
      [],
    ],
    [['--turn-end', 'input-required'], { turnEnd: 'input-required' }, []],
    [['--acp-v2', '--acp'], { acpV2: true }, ['--acp']],
    [['--engine', 'goose acp', '--engine-mode=auto'], { engine: 'goose acp', engineMode: 'auto' }, []],
    [['--', '--a2a-port', '1'], {}, ['--', '--a2a-port', '1']],
    [['mcp', 'list', '--debug'], {}, ['mcp', 'list', '--debug']],
    [['-dem', 'x', '-m=pro', '--model=a=b', '-', ''], {}, ['-dem', 'x', '-m=pro', '--model=a=b', '-', '']],
    [['--engine=--odd', '--demo', '--', '--demo'], { engine: '--odd', demo: true }, ['--', '--demo']],
    [['--a2a-port', '1', '--a2a-port', '2'], { port: 2 }, []],
  ])('%j', (argv, ours, geminiArgs) => {
    const none = {
      requireToken: false,
      acpV2: false,
      noPage: false,
      host: '127.0.0.1',
      demo: false,
      pushAllow: [],
      alertAllow: [],
      turnEnd: 'completed',
    };
    expect(parse(argv)).toEqual({ flags: { ...none, ...ours }, rest: geminiArgs });
  });

  test.each([
    [['--a2a-port', 'abc'], 'got "abc"'],
    [['--a2a-port', '70000'], 'from 0 (any free one) to 65535'],
    [['--a2a-port', '-1'], 'got "-1"'],
    [['--a2a-port', '1.5'], 'got "1.5"'],
    [['--a2a-port'], '--a2a-port needs a value'],
    [['--a2a-port', '--yolo'], '--a2a-port needs a value'],
    [['--turn-end', 'never'], 'completed or input-required, got "never"'],
    [['--engine'], '--engine needs a value'],
    [['--demo=no'], '--demo takes no value, got "no"'],
  ])('%j says what is wrong', (argv, message) => {
    expect(() => parse(argv)).toThrow(message);
  });
});

describe('sessions that cannot be shared', () => {
  const workspace = temporaryFolder();
  const ask = (args: string[], more: object = {}) =>
    whyNotShareable({ args, env: { GEMINI_CLI_HOME: workspace }, workspace, ...more });

  test.each([[['-i', 'go']], [['--no-sandbox']], [['explain -p']]])('%j can', (args) =>
    expect(ask(args)).toBeUndefined(),
  );

  test.each([
    [['-p', 'hi'], 'use -i'],
    [['--prompt=hi'], 'use -i'],
    [['--acp'], '--acp runs without one'],
    [['--sandbox'], 'cannot reach into a sandbox'],
    [['-s'], 'cannot reach into a sandbox'],
  ])('%j cannot', (args, message) => expect(ask(args)).toContain(message));

  test('with a sandbox by environment or settings', () => {
    expect(ask([], { env: { GEMINI_SANDBOX: 'docker', GEMINI_CLI_HOME: workspace } })).toContain('sandbox');
    expect(ask([], { env: { GEMINI_SANDBOX: 'false', GEMINI_CLI_HOME: workspace } })).toBeUndefined();
    mkdirSync(join(workspace, '.gemini'));
    writeFileSync(join(workspace, '.gemini', 'settings.json'), '{\n  // mine\n  "tools": { "sandbox": "docker" }\n}');
    expect(ask([])).toContain('sandbox');
    expect(ask(['--no-sandbox'])).toBeUndefined();
  });
});

test('the alias survives odd paths in a real shell', () => {
  const folder = temporaryFolder("cosession's test-");
  const script = join(folder, 'print args.js');
  writeFileSync(script, 'console.log(process.argv.slice(2).join("|"))');
  const code = `eval "$(cat)"; gemini --a2a-port 1234 "two words"`;
  const out = execFileSync('bash', ['-c', code], {
    input: aliasFor('/bin/bash', process.execPath, script),
    encoding: 'utf8',
  });
  expect(out.trim()).toBe('--a2a-port|1234|two words');
});

test('state goes where the user wants it', () => {
  expect(stateDir({ COSESSION_STATE_DIR: '/x' })).toBe('/x');
  expect(stateDir({ XDG_STATE_HOME: '/y' })).toBe('/y/cosession');
  expect(stateDir({})).toMatch(/\.local\/state\/cosession$/);
});
