import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { findCli } from '../../src/engine/live/find-cli.js';
import { isOwnWord } from '../../src/engine/live/own-words.js';
import { mainScript } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const home = temporaryFolder();

/** The Gemini CLI would be started without a key, and ends at once. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: home, GEMINI_CLI_HOME: home, COSESSION_STATE_DIR: home };
  return new Promise((resolve) => {
    execFile(process.execPath, [mainScript, ...args], { env, cwd: home }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

test.each([
  [['atach'], 'cosession: "atach" is not a command. Did you mean cosession attach?'],
  [['--a2a-prt', '1'], 'cosession: cosession has no flag --a2a-prt. Did you mean --a2a-port?'],
  [['--egnine', 'goose acp'], 'cosession: cosession has no flag --egnine. Did you mean --engine?'],
  [['serve', '--demo=false'], 'cosession: --demo takes no value, got "false"'],
])('%j is refused with what was meant, and the Gemini CLI is not started', async (args, sentence) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr.startsWith(sentence)).toBe(true);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a prompt goes to the Gemini CLI, which asks for a key', async () => {
  const { stderr } = await run('fix the tests');
  expect(stderr).toContain('GEMINI_API_KEY');
});

test('cosession -- --help is the help of the Gemini CLI, and every word in it stays its own', async () => {
  const { stdout } = await run('--', '--help');
  const flags = stdout.match(/(?<=^ .*)--[\w-]+(?= )/gm) ?? [];
  const subcommands = [...stdout.matchAll(/^ {2}gemini (\w+)/gm)].map(([, name = '']) => name);
  expect(flags).toContain('--approval-mode');
  expect(subcommands).toContain('mcp');
  const cli = findCli(dirname(createRequire(import.meta.url).resolve('@google/gemini-cli/package.json')));
  expect([...flags, ...subcommands].filter((word) => !isOwnWord(cli, word))).toEqual([]);
  expect(isOwnWord(cli, '--a2a-prt')).toBe(false);
});
