import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hostileRepository, injectedMemory } from '../support/hostile-repository.js';
import { mainScript } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient, type WireEvent } from '../support/wire-client.js';

/** A demo is what somebody starts who has just cloned a repository: nothing of that repository may run. */
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Even somebody who trusts every folder does not trust this one. */
const environment = (stateDir: string) => ({
  COSESSION_STATE_DIR: stateDir,
  COSESSION_TRUST: 'all',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  // The CLI knows no folder trust where it sees this one.
  VITEST: undefined,
});

type Start = (folder: string, stateDir: string) => Promise<WireClient>;

const inTerminal: Start = async (folder, stateDir) => {
  const args = [mainScript, '--demo', '--a2a-port', '0'];
  const screen = new Screen(process.execPath, args, { cwd: folder, env: environment(stateDir), cols: 160 });
  stops.push(() => screen.stop());
  await screen.waitFor('Type your message');
  await screen.waitFor(/A2A endpoint on \S+/);
  return connect(/A2A endpoint on (\S+)/.exec(screen.all)?.[1] ?? '');
};

const withoutTerminal: Start = async (folder, stateDir) =>
  connect(await spoken(start(['--demo', '--a2a-port', '0'], folder, stateDir), /A2A endpoint on (\S+)/));

const served =
  (...flags: string[]): Start =>
  async (folder, stateDir) => {
    const child = start(['serve', '--demo', '--port', '0', ...flags], folder, stateDir);
    const url = await spoken(child, /"url":"([^"]+)"/);
    const response = await fetch(`${url}tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { taskId } = (await response.json()) as { taskId: string };
    return connect(url, `?taskId=${taskId}`);
  };

function start(args: readonly string[], cwd: string, stateDir: string): ChildProcess {
  const env = { ...process.env, ...environment(stateDir) };
  const child = spawn(process.execPath, [mainScript, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  stops.push(() => child.kill('SIGKILL'));
  return child;
}

function spoken({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  let said = '';
  stdout?.on('data', (data: Buffer) => (said += data.toString()));
  return until(() => pattern.exec(said)?.[1]);
}

async function connect(url: string, query = ''): Promise<WireClient> {
  const client = await WireClient.connect(`${url.replace('http', 'ws')}ws${query}`);
  stops.push(() => client.close());
  return client;
}

/** Runs one prompt that wants a tool, and allows it if asked. Tells whether it was. */
async function allow(client: WireClient, prompt: string): Promise<boolean> {
  client.forget();
  await client.prompt(prompt);
  const isQuestion = (event: WireEvent): boolean => event['confirmation_request'] !== undefined;
  const first = await client.find((event) => isQuestion(event) || isDone(event));
  if (isQuestion(first)) await client.answer(first['tool_call_id'], 'proceed_once');
  await client.find(isDone);
  return isQuestion(first);
}

function isDone(event: WireEvent): boolean {
  return event['state'] === 'completed';
}

async function run(client: WireClient, ...path: string[]): Promise<string> {
  client.forget();
  await client.call('command/execute', { command_path: path });
  await client.find(isDone);
  return JSON.stringify(client.seen);
}

test.each([
  ['in a terminal', inTerminal],
  ['without a terminal', withoutTerminal],
  ['serve', served()],
  ['serve --isolate', served('--isolate')],
])('--demo %s: a repository runs nothing, allows nothing and says nothing, and the demo works', async (_name, open) => {
  const folder = join(temporaryFolder(), 'repository');
  mkdirSync(folder);
  const repository = hostileRepository(folder);
  const client = await open(folder, temporaryFolder());

  const wasAsked = { shell: await allow(client, 'run a command'), edit: await allow(client, 'write a poem') };
  const { result } = await client.call('commands/get');
  const memory = await run(client, 'memory', 'show');

  expect({
    ran: repository.ran(),
    wasAsked,
    hasItsCommand: JSON.stringify(result).includes('evil'),
    isInMemory: memory.includes(injectedMemory),
  }).toEqual({ ran: [], wasAsked: { shell: true, edit: true }, hasItsCommand: false, isInMemory: false });
  expect(existsSync(join(folder, 'cosession-demo.log'))).toBe(true);
  expect(existsSync(join(folder, 'cosession-demo.txt'))).toBe(true);
});
