import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after, type OfflineAgent, offlineAgent } from '../support/acp-agents.js';
import { type Entry, mainScript } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

/** `cosession --engine` with the real goose, which starts faster than any other agent. */
describe('cosession --engine', () => {
  const home = temporaryFolder();
  const workspace = join(home, 'workspace');
  const sessions = join(home, 'cosession', 'sessions');
  let agent: OfflineAgent;

  const argv = (): string[] => [mainScript, '--engine', agent.command, '--a2a-port', '0'];
  const env = (): NodeJS.ProcessEnv => ({
    ...agent.env,
    COSESSION_STATE_DIR: join(home, 'cosession'),
    COSESSION_TOKEN: 'ours',
  });
  const entry = async (): Promise<Entry> => {
    const name = await until(() =>
      (existsSync(sessions) ? readdirSync(sessions) : []).find((file) => file.endsWith('.json')),
    );
    return JSON.parse(readFileSync(join(sessions, name), 'utf8')) as Entry;
  };
  const connect = async (name: string): Promise<WireClient> =>
    WireClient.connect(`ws://127.0.0.1:${(await entry()).port}/ws?client=${name}`);

  beforeAll(async () => {
    mkdirSync(workspace);
    agent = await offlineAgent('goose', join(home, 'home'));
  });
  afterAll(() => agent.close());

  test('the terminal prompts and asks, another client sees it all and answers; Ctrl-C stops the turn, twice quits', async () => {
    const screen = new Screen(process.execPath, argv(), { cwd: workspace, env: env() });
    try {
      await screen.waitFor('a line is a prompt');
      const client = await connect('alice');
      await screen.waitFor('A2A client connected: alice');

      await screen.submit('from the terminal');
      const call = await client.pending();
      expect(await client.kind('USER_MESSAGE')).toMatchObject({ origin: { client: 'terminal' } });
      await screen.waitFor('1) Allow always');
      await client.answer(call['tool_call_id'], 'proceed_once');
      await screen.waitFor('answered "Allow once" by @alice');
      await screen.waitFor(after);
      expect(existsSync(join(workspace, 'made.txt'))).toBe(true);

      client.forget();
      void client.prompt('from\u001b[2J the client');
      await screen.waitFor('@alice> from the client');
      await client.pending();
      await screen.waitFor('or 1-4>');
      // A number that comes at once could have been meant for the question before.
      await sleep(800);
      await screen.submit('3');
      await client.tool('CANCELLED');
      await client.state('completed');

      screen.type('a slip');
      await screen.waitFor('> a slip');
      await screen.press('\u0003');
      await screen.waitUntilGone('a slip');

      client.forget();
      await screen.submit('stop it');
      await client.pending();
      await screen.press('\u0003');
      await client.state('canceled');
      await screen.waitFor('Ctrl-C again quits');
      await screen.press('\u0003', '\u0003');
      expect(await screen.waitForExit()).toBe(0);
      expect(readdirSync(sessions)).toEqual([]);
    } finally {
      await screen.stop();
    }
  });

  test('without a terminal it serves until it is told to end, and takes the agent with it', async () => {
    const child = spawn(process.execPath, argv(), { cwd: workspace, env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const { url, token } = await entry();
      const client = await connect('bob');
      const answered = client.prompt('make a file');
      await client.pending();
      await answered;
      const card = await fetch(`${url}.well-known/agent-card.json`, { headers: { authorization: `Bearer ${token}` } });
      expect(await card.json()).toMatchObject({ description: expect.stringContaining('acp --with-builtin') as string });
      const agents = childrenOf(child.pid ?? 0);
      expect(agents.length).toBeGreaterThan(0);
      for (const pid of agents) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('COSESSION_');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      await until(() => agents.every((pid) => !existsSync(`/proc/${pid}`)));
      expect(readdirSync(sessions)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test.each([
    [['--engine', 'no-such-agent acp'], 'the agent "no-such-agent acp" could not be started', 1],
    [
      ['--engine', `${process.execPath} -e "console.error('no key'); process.exit(7)"`],
      'exited with code 7: no key',
      1,
    ],
    [['--engine', 'goose "acp'], 'a quote is not closed', 2],
    [['--engine', 'goose acp', '-m', 'pro'], '"-m" is for', 2],
    [['--engine', 'goose acp', '--demo'], '--demo is a model for the Gemini CLI', 2],
  ])('%j says why it cannot', async (args, message, code) => {
    const child = spawn(process.execPath, [mainScript, ...args], {
      cwd: workspace,
      env: env(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const [exit] = await once(child, 'close');
    expect(said).toContain(message);
    expect(exit).toBe(code);
  });
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
