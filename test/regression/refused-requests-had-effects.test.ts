import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/auth/principal.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { methods } from '../../src/server/guards/scopes.js';
import { pairingRoutes } from '../../src/server/page/pairing-routes.js';
import { staticRoutes } from '../../src/server/page/static-routes.js';
import { commonRoutes } from '../../src/server/routes/common.js';
import type { RouteFacts } from '../../src/server/routes/route.js';
import { serverRoutes } from '../../src/server/routes/server.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { freePort } from '../support/free-port.js';
import { callerOf, type Needs } from '../support/operations/caller.js';
import { serverOperations, sharedOperations } from '../support/operations/operations.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { storedRows } from '../support/stored-rows.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

/** `POST /message/stream` by a token that may only approve was answered with 403, and had made a task. */
let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
let model: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  model = await startModelServer(
    scriptOf({
      file: [call('run_shell_command', { command: 'touch made.txt', description: 'make a file' })],
      long: { chunks: [[say('begun')], [say('done')]], holdLast: released },
    }),
  );
});
afterAll(() => {
  release();
  return model.close();
});

/** Who has too little for what: `nobody` brings no token, `none` one without scopes. */
const callers: Readonly<Record<string, readonly Scope[]>> = {
  none: [],
  view: ['view'],
  prompt: ['prompt'],
  approve: ['approve'],
  both: ['prompt', 'approve'],
};
const lacking: Readonly<Record<Needs, readonly string[]>> = {
  public: [],
  view: ['nobody', 'none'],
  prompt: ['nobody', 'none', 'view', 'approve'],
  approve: ['nobody', 'none', 'view', 'prompt'],
  metrics: ['nobody', 'none', 'view', 'prompt', 'approve', 'both'],
  admin: ['nobody', 'none', 'view', 'prompt', 'approve', 'both'],
};

const prompt = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });

async function open(args: readonly string[] = []) {
  const folder = temporaryFolder();
  const tokens: Record<string, string> = {};
  const made = new TokenFolder(join(folder, 'state'));
  for (const [name, scopes] of Object.entries({ ...callers, admin: ['admin'] as const }))
    tokens[name] = await made.create({ name, scopes });
  const grpcPort = await freePort();
  const flags = ['--require-token', '--rate-limit', '0', '--grpc-port', String(grpcPort), ...args];
  const start = (): Promise<ServeProcess> => startServe({ folder, modelUrl: model.url, args: flags }, 'file');
  const admin = { authorization: `Bearer ${tokens['admin']}` };
  const file = join(folder, 'state', 'tasks.db');
  /** Whoever asks for all tasks has the server bring its tables up to date. */
  const settle = async ({ base }: ServeProcess): Promise<void> => {
    await (await fetch(`${base}/tasks`, { headers: admin })).text();
  };
  return { tokens, grpcPort, start, admin, settle, rows: () => storedRows(file) };
}

/** Requests that Express takes for this route. */
function rowOf({ method, path }: RouteFacts): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replaceAll('{/v1}', '(?:/v1)?')
    .replaceAll(/(?<!\\):\w+/g, '[^/]+')
    .replaceAll(/\*\w+/g, '.+');
  return new RegExp(`^${method} ${pattern}$`);
}

/** A task that is over and not in memory, and one that waits for an answer. */
async function twoTasks({ start, admin, settle }: Awaited<ReturnType<typeof open>>) {
  const run = async (served: ServeProcess, contextId: string, text: string) => {
    const events = await eventsOf(await served.post('message/stream', prompt(contextId, text), admin));
    const body = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: { contextId } };
    const listed = await served.post('', body, { ...admin, 'a2a-version': '1.0' });
    const { result } = (await listed.json()) as { result: { tasks: { id: string }[] } };
    return { events, turn: result.tasks[0]?.id ?? '' };
  };
  const first = await start();
  const asleep = await run(first, 'asleep', 'hello');
  first.kill('SIGTERM');
  await first.exit;
  const served = await start();
  const asked = await run(served, 'asked', 'make a file');
  const question = asked.events.find(({ data }) => data['kind'] === 'tool-call-confirmation');
  const callId = String(question?.data['toolCallId']);
  await settle(served);
  return { served, callId, turns: { asleep: asleep.turn, asked: asked.turn } };
}

describe('a request that is refused changes nothing', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  let tasks: Awaited<ReturnType<typeof twoTasks>>;
  beforeAll(async () => {
    opened = await open();
    tasks = await twoTasks(opened);
  });

  test('for whoever may not do it, whatever it is and wherever it is asked for', async () => {
    const { tokens, grpcPort, admin, rows } = opened;
    const { served, callId, turns } = tasks;
    const inMemory = async (): Promise<string> => {
      const metrics = await (await fetch(`${served.base}/metrics`, { headers: admin })).text();
      return (metrics.match(/^cosession_tasks_\S+ .*$/gm) ?? []).join('\n');
    };
    const before = { ...rows(), inMemory: await inMemory() };
    const wrong: string[] = [];
    const covered = new Set<string>();
    for (const session of ['asleep', 'asked'] as const) {
      // Who may view may follow a task, and that brings it into memory: sockets are on the one that is there.
      const place = { base: () => served.base, grpcPort: () => grpcPort, query: '?taskId=asked' };
      const subject = { session, turn: turns[session], promptsGo: { contextId: session }, callId, query: '' };
      const caller = callerOf(place);
      for (const { name, needs, row, call: run } of [
        ...sharedOperations(caller, subject),
        ...serverOperations(caller, subject),
        caller.http('view', 'POST', '/', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {} }),
        caller.http('view', 'GET', '/acp'),
        caller.http('view', 'DELETE', '/acp'),
      ]) {
        covered.add(row);
        for (const who of lacking[needs]) {
          const verdict = await run(who === 'nobody' ? undefined : tokens[who]);
          const after = { ...rows(), inMemory: await inMemory() };
          if (verdict !== (who === 'nobody' ? 'token-required' : 'scope-missing'))
            wrong.push(`${name} by ${who}: ${verdict}`);
          for (const [what, text] of Object.entries(after))
            if (text !== Reflect.get(before, what)) wrong.push(`${name} by ${who}: changed ${what}`);
          Object.assign(before, after);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(methods).filter((method) => !covered.has(method))).toEqual([]);
    const isCovered = (route: RouteFacts): boolean => [...covered].some((row) => rowOf(route).test(row));
    const routes: RouteFacts[] = [...commonRoutes, ...serverRoutes, ...pairingRoutes, ...staticRoutes];
    expect(routes.filter((route) => !isCovered(route))).toEqual([]);
    served.kill('SIGTERM');
    await served.exit;
    const { claims: _claims, ...stored } = rows();
    expect(before).toMatchObject(stored);
  });

  test('who may only approve can still answer at execute', async () => {
    tasks.served.kill('SIGTERM');
    await tasks.served.exit;
    const served = await opened.start();
    const message = { kind: 'tool-call-confirmation', toolCallId: tasks.callId, approved: true };
    const headers = { authorization: `Bearer ${opened.tokens['approve']}` };
    const answered = await served.post('tasks/asked/execute', { message }, headers);
    expect(answered.status).toBe(200);
    expect((await eventsOf(answered)).at(-1)).toMatchObject({ event: 'state_change', data: { state: 'completed' } });
  });

  test('for what is wrong with it', async () => {
    const { start, admin, settle, rows, tokens } = await open(['--max-running', '1', '--max-queued', '1']);
    const served = await start();
    const before = rows();
    const v1 = { ...admin, 'a2a-version': '1.0' };
    const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params });
    const answer = { data: { tool_call_id: 'nothing', selected_option_id: 'proceed_once' } };
    const nowhere = { workspacePath: '/nowhere/at/all' };
    const refusals: [string, string, object, Record<string, string>?][] = [
      ['a bad cursor', 'message/stream?after=x', prompt('a', 'hello')],
      ['no visible text', 'message/stream', prompt('b', '\u001b[31m\u200b ')],
      ['no text', 'message/stream', prompt('c', '')],
      ['no message', 'message/stream', { contextId: 'd' }],
      ['an answer to nothing', 'message/stream', { userMessage: answer.data }],
      ['an answer in a new context', 'message/stream', { contextId: 'e', userMessage: answer.data }],
      ['a workspace that is not allowed', 'message/stream', { ...prompt('f', 'hello'), agentSettings: nowhere }],
      ['autoExecute', 'message/stream', { ...prompt('g', 'hello'), agentSettings: { autoExecute: true } }],
      ['a setting of another type', 'tasks', { contextId: 'h', agentSettings: { autoExecute: 'yes' } }],
      ['a workspace that is not allowed', 'tasks', { contextId: 'i', agentSettings: nowhere }],
      ['an id that is too long', 'tasks', { contextId: 'x'.repeat(300) }],
      ['no visible text', '', rpc('SendMessage', { message: toNew({ contextId: 'j', text: '\u200b' }) }), v1],
      ['an answer to nothing', '', rpc('SendMessage', { message: toNew(answer) }), v1],
      ['an answer in a new context', '', rpc('SendMessage', { message: toNew({ contextId: 'k', ...answer }) }), v1],
      ['a file', '', rpc('SendMessage', { message: toNew({ contextId: 'l', file: 'image/png' }) }), v1],
      ['no visible text', '', rpc('message/send', { message: toOld({ contextId: 'm', text: '\u200b' }) })],
      ['an answer to nothing', '', rpc('message/stream', { message: toOld(answer) })],
      ['an answer to nothing', 'a2a/rest/message:send', { message: toNew(answer) }, v1],
      [
        'a webhook that is not allowed',
        '',
        rpc('SendMessage', {
          message: toNew({ contextId: 'n', text: 'hello' }),
          configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/' } },
        }),
        v1,
      ],
      ['a command that there is not', 'executeCommand', { command: 'nothing' }],
      ['a task that there is not', 'tasks/nowhere/execute', { message: 'hello' }],
    ];
    const wrong: string[] = [];
    const expectRefused = async ([what, path, body, headers = admin]: (typeof refusals)[number]): Promise<void> => {
      const response = await served.post(path, body, headers);
      const text = await response.text();
      if (response.ok && !text.includes('"error"')) wrong.push(`${what} at /${path} was served: ${text}`);
      const after = rows();
      for (const [table, content] of Object.entries(after))
        if (content !== before[table]) wrong.push(`${what} at /${path} changed ${table}`);
      Object.assign(before, after);
    };
    for (const refusal of refusals) await expectRefused(refusal);
    const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/acp?token=${tokens['admin']}`);
    expect(await client.call('session/new', { cwd: '/', mcpServers: [] })).toHaveProperty('error');
    client.close();
    expect(rows()).toEqual(before);
    expect(wrong).toEqual([]);

    // One turn runs and one waits: that is all this server takes.
    for (const id of ['first', 'second']) {
      const stream = await served.post('message/stream', prompt(id, 'long work'), admin);
      expect(stream.status).toBe(200);
      await stream.body?.cancel();
    }
    await settle(served);
    Object.assign(before, rows());
    await expectRefused(['a full server', 'message/stream', prompt('third', 'hello')]);
    await expectRefused([
      'a full server',
      '',
      rpc('SendMessage', { message: toNew({ contextId: 'third', text: 'hello' }) }),
      v1,
    ]);
    expect(wrong).toEqual([]);
  });
});
