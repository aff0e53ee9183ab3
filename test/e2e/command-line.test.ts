import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { type Live, mainScript, readyPrompt, startLive } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const stateDir = temporaryFolder();

/** Runs cosession without a terminal. */
function run(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [mainScript, ...args],
      { env: { ...process.env, COSESSION_STATE_DIR: stateDir, ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const running: Live[] = [];
async function start(options: Partial<Parameters<typeof startLive>[0]> = {}): Promise<Live> {
  const live = await startLive({ script: scriptOf({}), ...options });
  running.push(live);
  return live;
}
afterEach(async () => {
  for (const live of running.splice(0)) await live.stop();
});

describe('without a terminal', () => {
  test('--version prints both versions, --help explains, ls lists', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^cosession \d+\.\d+\.\d+\ngemini-cli 0\.61\.0\n$/);
    expect((await run(['--help'])).stdout).toContain('cosession --a2a-port <port>');
    expect((await run(['ls'])).stdout).toContain('No live sessions');
  });

  test.each([
    [['attach', '--help'], 'cosession attach [session] [flags]'],
    [['send', 'hello', '-h'], 'cosession send [url] <text>|- [flags]'],
    [['ls', '--help'], 'list the live sessions'],
    [['alias', '--help'], 'shell code'],
    [['serve', '--port', '0', '--help'], '--approval-timeout <seconds>   deny a question'],
    [['token', '--help'], 'cosession token create --name <name>'],
    [['help', 'watch'], 'cosession watch [session] [flags]'],
    [['help'], 'cosession <command> --help'],
  ])('%j explains that command', async (args, text) => {
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, expect.stringContaining(text)]);
  });

  test.each([
    [
      'a bad port',
      ['--a2a-port', 'abc'],
      {},
      'cosession: the port must be a whole number from 0 (any free one) to 65535, got "abc"',
    ],
    ['a sandbox', ['--a2a-port', '0', '--sandbox'], {}, 'cosession: --a2a-port cannot reach into a sandbox'],
    [
      'a sandbox by environment',
      ['--a2a-port', '0'],
      { GEMINI_SANDBOX: 'docker' },
      'cosession: --a2a-port cannot reach into a sandbox',
    ],
    [
      'one prompt only',
      ['--a2a-port', '0', '-p', 'hi'],
      {},
      'cosession: --a2a-port shares the terminal session, and -p runs without one',
    ],
    ['no such CLI', ['--gemini-cli', '/nowhere'], {}, 'cosession: --gemini-cli: there is nothing at /nowhere'],
  ])('%s is one clear sentence', async (_name, args, env, sentence) => {
    const { code, stderr } = await run(args, env);
    expect(code).not.toBe(0);
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a release whose functions are not found is named, with the supported ones', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'bundle'));
    writeFileSync(join(root, 'package.json'), '{"name":"@google/gemini-cli","version":"0.1.0"}');
    writeFileSync(join(root, 'bundle', 'gemini.js'), '');
    const { code, stderr } = await run(['--a2a-port', '0', '--gemini-cli', root]);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^cosession: Gemini CLI 0\.1\.0 cannot be shared: Cosession supports 0\./);
  });

  test('everything that is not ours goes to the Gemini CLI', async () => {
    const { stdout } = await run(['mcp', '--help']);
    expect(stdout).toContain('gemini mcp');
  });
});

describe('in a terminal', () => {
  test('[000-2.1] without --a2a-port nothing listens, and /a2a on opens the running session later', async () => {
    const live = await start({ port: 'none' });
    await live.screen.waitFor(readyPrompt);
    await live.screen.submit('before sharing');
    await live.screen.waitFor('You said: before sharing');
    expect(existsSync(join(live.stateDir, 'sessions'))).toBe(false);
    await live.screen.submit('/a2a');
    await live.screen.waitFor('The A2A endpoint is off.');
    await live.screen.submit('/a2a on');
    const late = await live.connect('?after=0');
    await late.find((event) => event.kind === 'USER_MESSAGE' && JSON.stringify(event).includes('before sharing'));
  });

  test('a port in use is said in the terminal, which goes on; ls finds the session that has it', async () => {
    const blocker = createServer();
    const taken = await listenOnLoopback(blocker, 0);
    const live = await start({ port: taken });
    await live.screen.waitFor(`A2A endpoint not started: port ${taken} is in use by another program.`);
    await live.screen.submit('/a2a on');
    const { port } = await live.entry();
    expect(port).not.toBe(taken);
    blocker.close();
    const listed = await run(['ls'], { COSESSION_STATE_DIR: live.stateDir });
    expect(listed.stdout).toContain(`http://127.0.0.1:${port}/`);

    const second = await start({ port, env: { COSESSION_STATE_DIR: live.stateDir } });
    await second.screen.waitFor(/is in use by\s+the\s+session\s+in/);
  });

  test('[000-2.2.3] the discovery file goes with the program', async () => {
    const live = await start();
    const { pid } = await live.entry();
    const file = join(live.stateDir, 'sessions', `${pid}.json`);
    await live.screen.waitFor(readyPrompt);
    await live.screen.submit('/quit');
    await live.screen.waitForExit();
    expect(existsSync(file)).toBe(false);
  });

  test('before login a prompt is refused with the reason', async () => {
    const live = await start({ env: { GEMINI_API_KEY: '' } });
    await live.screen.waitFor(/API [Kk]ey/);
    const client = await live.connect();
    let refused = await client.prompt('anybody there?');
    while (!refused['error']) refused = await client.prompt('anybody there?');
    expect(refused).toMatchObject({ error: { code: -32054, message: expect.stringContaining('not logged in') } });
  });

  test('[001-5] --debug logs [A2AService] lines and A2A client connected', async () => {
    const live = await start({ args: ['--debug'] });
    await live.screen.waitFor(readyPrompt);
    await live.screen.press('\u001b[24~');
    // The console shows its newest lines: once it is open, the next one is among them.
    await live.screen.waitFor('Debug Console');
    const client = await live.connect('?client=wscat');
    await client.kind('SNAPSHOT');
    await live.screen.waitFor('[A2AService] A2A client connected');
    expect(client.seen.some((event) => JSON.stringify(event).includes('[A2AService]'))).toBe(false);
  });

  test('[000-8.1] eval "$(cosession alias)" makes gemini --a2a-port work literally', async () => {
    const folder = temporaryFolder();
    const code = `eval "$('${process.execPath}' '${mainScript}' alias)"; gemini --demo --a2a-port 0`;
    const screen = new Screen('bash', ['--norc', '-c', code], {
      cwd: folder,
      env: { COSESSION_STATE_DIR: join(folder, 'state'), SHELL: '/bin/bash' },
    });
    await screen.waitFor('A2A endpoint on http://127.0.0.1:');
    await screen.waitFor(readyPrompt);
    await screen.submit('hello');
    await screen.waitFor('No key and no network are used');
    await screen.stop();
  });
});
