import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/auth/principal.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { AcpClient } from '../support/acp-client.js';
import { offlineAgent } from '../support/acp-agents.js';
import { mcpServerProgram } from '../support/mcp-server.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(scriptOf({ greet: [call('mcp_tiny_hello', {})] }));
afterAll(() => model.close());
const clients: AcpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

let folder: string;
let workspace: string;
let program: string;
let started: string;
beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  workspace = join(folder, 'workspace');
  program = join(folder, 'mcp-server.mjs');
  started = join(folder, 'started');
  writeFileSync(program, mcpServerProgram);
});

/** As an editor has it in its settings. */
function tiny(caller: string): McpServer {
  const env = Object.entries({ CALLER: caller, STARTED: started }).map(([name, value]) => ({ name, value }));
  return { name: 'tiny', command: process.execPath, args: [program], env };
}

async function connect(served: ServeProcess, headers: Record<string, string> = {}): Promise<AcpClient> {
  const client = await AcpClient.connect(`${served.base.replace('http', 'ws')}/acp`, { join: false, headers });
  clients.push(client);
  return client;
}

async function open(client: AcpClient, mcpServers: McpServer[]): Promise<void> {
  client.sessionId = (await client.agent.request('session/new', { cwd: workspace, mcpServers })).sessionId;
}

/** Asks for the tool, allows it, and returns its result. */
async function greet(client: AcpClient): Promise<unknown> {
  const turn = client.prompt('greet');
  const { request, answer } = await client.question();
  expect(request.toolCall).toMatchObject({ name: 'mcp_tiny_hello', status: 'pending' });
  answer('proceed_once');
  expect(await turn).toEqual({ stopReason: 'end_turn' });
  const result = await client.tool('completed');
  return 'content' in result ? result.content : undefined;
}

const saying = (text: string) => [{ type: 'content', content: { type: 'text', text: expect.stringContaining(text) } }];

describe.each([
  ['in the process of the server', []],
  ['with --isolate', ['--isolate']],
])('%s', (_name, args) => {
  test("with --allow-client-mcp a client's MCP server works for its task, after a question", async () => {
    const served = await startServe({ folder, modelUrl: model.url, args: ['--allow-client-mcp', ...args] });
    const alice = await connect(served);
    await open(alice, [tiny('alice')]);
    expect(await greet(alice)).toEqual(saying('hello alice'));
    expect(readFileSync(started, 'utf8')).toBe(workspace);

    const bob = await connect(served);
    await open(bob, []);
    expect(await bob.prompt('greet')).toEqual({ stopReason: 'end_turn' });
    await bob.tool('failed');
    expect(bob.asked).toEqual([]);
  });
});

test('without the switch it is never started', async () => {
  const served = await startServe({ folder, modelUrl: model.url });
  const alice = await connect(served);
  await open(alice, [tiny('alice')]);
  expect(await alice.prompt('greet')).toEqual({ stopReason: 'end_turn' });
  await alice.tool('failed');
  expect(existsSync(started)).toBe(false);
});

test('a server over HTTP is called with the headers of the client', async () => {
  const child = spawn(process.execPath, [program, 'http']);
  try {
    const port = await new Promise((resolve) => child.stdout.once('data', (data: Buffer) => resolve(Number(data))));
    const served = await startServe({ folder, modelUrl: model.url, args: ['--allow-client-mcp'] });
    const alice = await connect(served);
    const headers = [{ name: 'x-caller', value: 'alice over http' }];
    await open(alice, [{ type: 'http', name: 'tiny', url: `http://127.0.0.1:${String(port)}/mcp`, headers }]);
    expect(await greet(alice)).toEqual(saying('hello alice over http'));
  } finally {
    child.kill();
  }
});

test('it is not stored: after a restart the client brings it again when it loads the task', async () => {
  const args = ['--allow-client-mcp'];
  const first = await startServe({ folder, modelUrl: model.url, args });
  const alice = await connect(first);
  await open(alice, [tiny('a secret')]);
  await greet(alice);
  const { sessionId } = alice;
  first.kill('SIGTERM');
  expect(await first.exit).toBe(0);
  const stored = readdirSync(join(folder, 'state'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, 'state', name), 'latin1'))
    .join('');
  expect(stored).toContain('mcp_tiny_hello');
  expect(stored).not.toContain(program);

  const second = await startServe({ folder, modelUrl: model.url, args });
  const again = await connect(second);
  await again.agent.request('session/load', { sessionId, cwd: workspace, mcpServers: [tiny('alice again')] });
  again.sessionId = sessionId;
  again.updates.splice(0);
  expect(await greet(again)).toEqual(saying('hello alice again'));
});

test('who brings one needs the scope admin', async () => {
  const served = await startServe({ folder, modelUrl: model.url, args: ['--allow-client-mcp', '--require-token'] });
  const tokens = new TokenFolder(join(folder, 'state'));
  const bearer = async (name: string, scopes: Scope[]) => ({
    authorization: `Bearer ${await tokens.create({ name, scopes })}`,
  });
  const worker = await connect(served, await bearer('worker', ['prompt', 'approve']));
  await expect(open(worker, [tiny('worker')])).rejects.toThrow('this needs the scope admin');
  await open(worker, []);
  const boss = await connect(served, await bearer('boss', ['admin']));
  await open(boss, [tiny('boss')]);
  expect(await greet(boss)).toEqual(saying('hello boss'));
});

test('an agent of --engine gets it with its session', async () => {
  const agent = await offlineAgent('goose', join(folder, 'agent'));
  try {
    const secrets = Object.keys(agent.env).filter((name) => name.startsWith('OPENAI_'));
    const args = ['--engine', agent.command, ...secrets.flatMap((name) => ['--engine-env', name])];
    const env = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
    const served = await startServe({ folder, modelUrl: model.url, args: [...args, '--allow-client-mcp'], env });
    const alice = await connect(served);
    await open(alice, [tiny('alice')]);
    alice.prompt('make a file').catch(() => {});
    await alice.question();
    expect(existsSync(started)).toBe(true);
    await until(() => JSON.stringify(agent.requests).includes('tiny__hello'));
    // A server that is killed leaves goose behind.
    served.kill('SIGTERM');
    expect(await served.exit).toBe(0);
  } finally {
    await agent.close();
  }
});
