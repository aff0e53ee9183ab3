import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { waitingShell } from '../support/manual-engine.js';
import { callerOf, type Needs, type Verdict } from '../support/operations/caller.js';
import { sharedOperations } from '../support/operations/operations.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

const callers = ['nobody', 'view', 'prompt', 'approve', 'metrics', 'admin'] as const;
const servedTo: Readonly<Record<Needs, readonly string[]>> = {
  public: ['nobody', 'view', 'prompt', 'approve', 'metrics', 'admin'],
  view: ['view', 'prompt', 'approve', 'admin'],
  prompt: ['prompt', 'admin'],
  approve: ['approve', 'admin'],
  metrics: ['metrics', 'admin'],
  admin: ['admin'],
};

let hub: ServedHub;
const tokens: Partial<Record<string, string>> = {};

beforeAll(async () => {
  const folder = new TokenFolder(temporaryFolder());
  for (const scope of ['view', 'prompt', 'approve', 'metrics', 'admin'] as const)
    tokens[scope] = await folder.create({ name: scope, scopes: [scope] });
  const devices = new Devices(folder, 'here');
  const stateDir = temporaryFolder();
  hub = await serveHub({}, { stateDir, grpcPort: 0, requireToken: true, devices, auth: { authenticators: [folder] } });
});
afterAll(() => hub.stop());

/** Messages for a task that is not there: what is looked at first is whether they may be sent at all. */
const operations = sharedOperations(callerOf({ base: () => hub.base, grpcPort: () => hub.server.grpcPort ?? 0 }), {
  session: 'session-1',
  turn: 'nowhere',
  promptsGo: { taskId: 'nowhere' },
  callId: 'call-1',
  query: '?after=x',
});

describe('who may do what', () => {
  test.each(operations)('$name needs $needs', async ({ needs, call }) => {
    const verdicts: Record<string, Verdict> = {};
    for (const caller of callers) verdicts[caller] = await call(tokens[caller]);
    const expected = callers.map((caller): [string, Verdict] => {
      if (servedTo[needs].includes(caller)) return [caller, 'served'];
      return [caller, caller === 'nobody' ? 'token-required' : 'scope-missing'];
    });
    expect(verdicts).toEqual(Object.fromEntries(expected));
  });
});

describe('ACP', () => {
  test('a slash command in a prompt needs what a slash command needs', async () => {
    const replies = [];
    for (const scope of ['prompt', 'admin']) {
      const client = await WireClient.connect(`ws://127.0.0.1:${hub.server.port}/acp?token=${tokens[scope]}`);
      await client.call('initialize', { protocolVersion: 1 });
      const { result } = await client.call('session/new', { cwd: '/', mcpServers: [] });
      const { sessionId } = result as { sessionId: string };
      const asking = client.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/stats' }] });
      if (scope === 'admin') {
        await until(() => hub.engine.started.length);
        hub.engine.end();
      }
      replies.push(await asking);
      client.close();
    }
    expect(replies).toMatchObject([
      { error: { message: expect.stringContaining('needs the scope admin') as string } },
      { result: { stopReason: 'end_turn' } },
    ]);
  });

  test('an answer of somebody who may not approve is not heard', async () => {
    hub.engine.report({ type: 'started', text: 'work', origin: { surface: 'tui' } });
    const clients = [];
    for (const scope of ['prompt', 'approve']) {
      const client = await WireClient.connect(`ws://127.0.0.1:${hub.server.port}/acp?token=${tokens[scope]}`);
      await client.call('initialize', { protocolVersion: 1 });
      await client.call('session/load', { sessionId: 'session-1', cwd: '/', mcpServers: [] });
      clients.push(client);
    }
    hub.engine.report({ type: 'tool', call: waitingShell() });
    for (const client of clients) {
      const { id, params } = await client.find(({ method }) => method === 'session/request_permission');
      const [option] = (params as { options: { optionId: string }[] }).options;
      const outcome = { outcome: 'selected', optionId: option?.optionId };
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { outcome } }));
      // Frames of one socket are handled in order: once this is answered, so is what came before it.
      await client.call('session/list');
      if (client === clients[0]) expect(hub.engine.answered).toEqual([]);
    }
    await until(() => hub.engine.answered.length);
    expect(hub.engine.answered).toMatchObject([{ callId: 'call-1' }]);
    hub.engine.end();
    for (const client of clients) client.close();
  });
});
