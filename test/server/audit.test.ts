import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import type { AuditEntry } from '../../src/domain/audit.js';
import { memoryStore } from '../../src/stores/memory.js';
import { toNew } from '../support/a2a/messages.js';
import { waitingShell } from '../support/manual-engine.js';
import { callerOf } from '../support/operations/caller.js';
import { sharedOperations } from '../support/operations/operations.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

const linesOf = (text: string): AuditEntry[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEntry);

describe('a server of many tasks', () => {
  const stateDir = temporaryFolder();
  const tokens = new TokenFolder(stateDir);
  let served: Awaited<ReturnType<typeof serveRegistry>>;
  const token: Record<string, string> = {};

  beforeAll(async () => {
    token['ada'] = await tokens.create({ name: 'ada', scopes: ['prompt', 'approve'] });
    token['root'] = await tokens.create({ name: 'root', scopes: ['admin'] });
    const settings = { requireToken: true, auth: { authenticators: [tokens] }, audit: new AuditFolder(stateDir) };
    served = await serveRegistry({ workspace: stateDir, store: memoryStore() }, settings);
  });
  afterAll(() => served.stop());

  const request = (who: string, method: string, path: string, body?: unknown) =>
    fetch(`${served.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token[who]}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const audit = async (query = ''): Promise<AuditEntry[]> =>
    linesOf(await (await request('root', 'GET', `audit${query}`)).text());
  const connect = (query: string) =>
    WireClient.connect(`ws://127.0.0.1:${served.server.port}${query}`, {
      headers: { authorization: `Bearer ${token['ada']}` },
    });

  test('connections, prompts, answers and cancels of every surface are recorded with who made them', async () => {
    const by = { surface: 'a2a', principal: 'token:ada' };
    const started = (id: string) =>
      until(() => (served.engines.get(id)?.started.length ? served.engine(id) : undefined));
    const ended = async (id: string): Promise<void> => (await started(id)).end();
    // HTTP: a prompt, a question and its answer.
    const stream = request('ada', 'POST', 'message/stream', {
      contextId: 'http',
      userMessage: { kind: 'text-content', text: 'a secret plan' },
    });
    const engine = await started('http');
    engine.report({ type: 'tool', call: waitingShell() });
    const confirmation = { kind: 'tool-call-confirmation', toolCallId: 'call-1', approved: true };
    await request('ada', 'POST', 'tasks/http/execute?after=x', { message: confirmation });
    const answer = request('ada', 'POST', 'tasks/http/execute', { message: confirmation });
    await until(() => engine.answered.length);
    engine.end();
    await (await stream).text();
    await (await answer).text();
    // A2A over JSON-RPC.
    const rpc = request('ada', 'POST', '', {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: toNew({ contextId: 'rpc', text: 'hello' }) },
    });
    await ended('rpc');
    await (await rpc).text();
    // /ws: a prompt, another that waits and is cancelled, and the cancel of the running one.
    await request('ada', 'POST', 'tasks', { contextId: 'ws' });
    const client = await connect('/ws?taskId=ws&client=ada-laptop');
    const say = (text: string) => client.call('message/send', { message: { content: { text } } });
    await say('first');
    const { result } = await say('second');
    await client.call('tasks/cancel', { id: (result as { turnId: string }).turnId });
    await client.call('tasks/cancel', { id: 'ws' });
    served.engine('ws').end('canceled');
    // One that waited and is published again when its turn starts.
    await say('third');
    await say('fourth');
    served.engine('ws').end();
    await until(() => served.engine('ws').started.length === 3);
    client.close();
    // One that comes again soon is not recorded again.
    (await connect('/ws?taskId=ws&client=ada-laptop')).close();
    // ACP.
    const editor = await connect('/acp');
    await editor.call('initialize', { protocolVersion: 1 });
    const { result: opened } = await editor.call('session/new', { cwd: stateDir, mcpServers: [] });
    const { sessionId } = opened as { sessionId: string };
    const prompted = editor.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'edit' }] });
    await ended(sessionId);
    await prompted;
    editor.close();

    const entries = (await audit()).filter(({ action }) => action !== 'refuse');
    const laptop = { ...by, client: 'ada-laptop' };
    expect(entries).toMatchObject([
      { action: 'prompt', taskId: 'http', characters: 13, by },
      {
        action: 'answer',
        taskId: 'http',
        by,
        tool: 'run_shell_command',
        about: 'rm -rf build',
        option: 'proceed_once',
      },
      { action: 'prompt', taskId: 'rpc', by },
      { action: 'connect', taskId: 'ws', by: laptop },
      { action: 'prompt', taskId: 'ws', by: laptop },
      { action: 'prompt', taskId: 'ws', by: laptop },
      { action: 'cancel', taskId: 'ws', by: laptop, turnId: (result as { turnId: string }).turnId },
      { action: 'cancel', taskId: 'ws', by: laptop },
      { action: 'prompt', taskId: 'ws', by: laptop },
      { action: 'prompt', taskId: 'ws', by: laptop },
      { action: 'connect', taskId: sessionId, by: { surface: 'acp', principal: 'token:ada' } },
      { action: 'prompt', taskId: sessionId, by: { surface: 'acp', principal: 'token:ada' }, characters: 4 },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret plan');
  });

  test('the entries of a task outlive it, and its deletion is one of them', async () => {
    const refused = await request('ada', 'DELETE', 'tasks/rpc');
    expect(refused.status).toBe(403);
    expect((await request('root', 'DELETE', 'tasks/rpc')).status).toBe(204);
    expect(await audit('?taskId=rpc')).toMatchObject([
      { action: 'prompt' },
      { action: 'delete', by: { principal: 'token:root' } },
    ]);
    expect(await audit('?action=refuse&principal=token:ada')).toMatchObject([
      { code: 'scope-missing', by: { principal: 'token:ada', address: '127.0.0.1' } },
    ]);
  });

  test('only an admin may read it, and the query is checked', async () => {
    expect((await request('ada', 'GET', 'audit')).status).toBe(403);
    expect((await request('root', 'GET', 'audit?since=yesterday')).status).toBe(400);
    expect(await audit('?since=2999-01-01')).toEqual([]);
  });

  test('a flood of refused requests leaves one entry a minute', async () => {
    for (let count = 0; count < 5; count++)
      await fetch(`${served.server.url}tasks`, { headers: { authorization: 'Bearer wrong' } });
    const wrong = (await audit('?action=refuse')).filter((entry) => 'code' in entry && entry.code === 'bad-token');
    expect(wrong).toHaveLength(1);
  });
});

describe('the live endpoint', () => {
  const stateDir = temporaryFolder();
  let hub: ServedHub;
  const entries: AuditEntry[] = [];
  const caller = callerOf({ base: () => hub.base, grpcPort: () => hub.server.grpcPort ?? 0 });
  const operations = sharedOperations(caller, {
    session: 'session-1',
    turn: 'nowhere',
    promptsGo: { taskId: 'nowhere' },
    callId: 'call-1',
    query: '?after=x',
  });
  const tokens = new TokenFolder(stateDir);

  beforeAll(async () => {
    const audit = { add: (entry: AuditEntry) => void entries.push(entry), read: async function* () {} };
    const auth = { authenticators: [tokens] };
    const devices = new Devices(tokens, 'here');
    hub = await serveHub({}, { grpcPort: 0, requireToken: true, auth, stateDir, devices, audit });
  });
  afterAll(() => hub.stop());

  test('what a guard refuses is recorded, on every surface', async () => {
    const guarded = operations.filter(({ needs }) => needs !== 'public');
    for (const [index, { call }] of guarded.entries())
      await call(await tokens.create({ name: `nothing-${index}`, scopes: [] }));
    const recorded = new Set(entries.map(({ by }) => by.principal));
    const missing = guarded.filter((_, index) => !recorded.has(`token:nothing-${index}`));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(entries.every((entry) => entry.action === 'refuse' && entry.code === 'scope-missing')).toBe(true);
  });

  test('a web page, a foreign host name and a caller without a token are recorded with their address', async () => {
    entries.length = 0;
    await fetch(`${hub.base}/tasks/x`, { headers: { origin: 'https://evil.example' } });
    await fetch(`${hub.base}/tasks/x`);
    const by = { address: '127.0.0.1' };
    expect(entries).toMatchObject([
      { action: 'refuse', code: 'origin-not-allowed', by },
      { action: 'refuse', code: 'token-required', by },
    ]);
  });

  test('what the terminal does is recorded too', async () => {
    entries.length = 0;
    hub.engine.report({ type: 'started', text: 'typed here', origin: { surface: 'tui' } });
    hub.engine.end();
    expect(entries).toMatchObject([{ action: 'prompt', by: { surface: 'tui' }, characters: 10 }]);
  });
});

test('a live endpoint shows the entries of its own session, not those of the others of its user', async () => {
  const audit = new AuditFolder(temporaryFolder());
  const [one, two] = await Promise.all(['one', 'two'].map((id) => serveHub({ id }, { audit })));
  const read = async (query: string): Promise<(string | undefined)[]> => {
    const entries = linesOf(await (await fetch(`${one?.base}/audit${query}`)).text());
    return entries.map((entry) => ('taskId' in entry ? entry.taskId : undefined));
  };
  for (const hub of [one, two]) hub?.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  await audit.flush();
  expect(await read('')).toEqual(['one']);
  expect(await read('?taskId=two')).toEqual([]);
  await Promise.all([one?.stop(), two?.stop()]);
});
