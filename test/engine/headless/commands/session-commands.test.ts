import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, say } from '../../../../src/demo/reply.js';
import { startModelServer, type ModelServer } from '../../../support/model-server.js';
import type { SessionEvent } from '../../../../src/domain/events.js';
import { readPlan } from '../../../../src/engine/gemini/read-plan.js';
import { Budget } from '../../../../src/engine/headless/budget.js';
import { sessionCommands } from '../../../../src/engine/headless/commands/session-commands.js';
import { HeadlessEngine } from '../../../../src/engine/headless/headless-engine.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStore } from '../../../../src/stores/memory.js';
import { core, openConfig } from '../../../support/headless-config.js';
import { alice } from '../../../support/hub.js';
import { until } from '../../../support/until.js';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(({ contents }) => {
    const asked = contents.at(-1)?.parts.at(-1)?.text;
    const write = call('write_file', { file_path: 'a.txt', content: 'after' });
    return { chunks: [[asked === 'write it' ? write : say('understood')]] };
  });
});
afterAll(() => model.close());

const command = (text: string) => ({ kind: 'command', text, origin: alice }) as const;
const textOf = (events: readonly SessionEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const endOf = (events: readonly SessionEvent[]) =>
  until(() => events.find((event) => event.type === 'turn' && /completed|failed/.test(event.state)));

/** A session on the real core whose engine runs commands; the hub is the real one. */
async function openSession(files: Readonly<Record<string, string>>) {
  const { config, workspace, settings } = await openConfig(files, model.url);
  const engine = new HeadlessEngine({
    open: () =>
      Promise.resolve({
        core,
        config,
        rules: { mayAllowSession: true, mayAllowForever: false, fileExists: () => true, readPlan },
      }),
    commands: () => sessionCommands(settings, config),
    budget: new Budget({}),
    save: () => Promise.resolve(),
    onError: (error) => {
      throw error;
    },
  });
  const session = new Session({ id: config.getSessionId(), engine, store: memoryStore() });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event), 0);
  return { session, events, workspace };
}

test('a command of the session answers in a turn of its own, without the model', async () => {
  const { session, events } = await openSession({});
  const asked = model.requests.length;
  session.submit(command('/stats'));
  expect(await endOf(events)).toMatchObject({ state: 'completed' });
  expect(textOf(events)).toContain('Input tokens: 0');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'artifact', artifact: expect.objectContaining({ id: 'command-stats' }) }),
  );
  expect(model.requests).toHaveLength(asked);
});

test('a command that does not exist, or not with these words, starts no turn and says what was meant', async () => {
  const { session, events } = await openSession({});
  expect(() => session.submit(command('/memory shw'))).toThrow('did you mean /memory show?');
  expect(() => session.submit(command('/memoy show'))).toThrow('did you mean /memory?');
  expect(events).toEqual([]);
});

const files = { '.gemini/commands/make.toml': 'prompt = "I made: !{touch {{args}} && echo made {{args}}}"' };
const waiting = (events: readonly SessionEvent[]) =>
  until(
    () => events.flatMap((event) => (event.type === 'tool' && event.call.status === 'waiting' ? [event.call] : []))[0],
  );

test('the shell command of a custom command waits for approval like a tool call, then the model gets what it printed', async () => {
  const { session, events, workspace } = await openSession(files);
  session.submit(command('/make it'));
  const waits = await waiting(events);
  expect(waits).toMatchObject({ approval: { details: { kind: 'execute', command: 'touch it && echo made it' } } });
  expect(existsSync(join(workspace, 'it'))).toBe(false);
  session.answer(waits.id, { optionId: 'proceed_once' }, alice);
  expect(await endOf(events)).toMatchObject({ state: 'completed' });
  expect(existsSync(join(workspace, 'it'))).toBe(true);
  expect(JSON.stringify(model.requests.at(-1)?.contents.at(-1))).toContain('I made: made it');
  expect(textOf(events)).toBe('understood');
});

test('a shell command that is not allowed ends the turn, and the model is not asked', async () => {
  const { session, events, workspace } = await openSession(files);
  const asked = model.requests.length;
  session.submit(command('/make it'));
  const waits = await waiting(events);
  session.answer(waits.id, { optionId: 'cancel' }, alice);
  expect(await endOf(events)).toMatchObject({ state: 'failed', error: expect.stringContaining('was not allowed') });
  expect(existsSync(join(workspace, 'it'))).toBe(false);
  expect(model.requests).toHaveLength(asked);
});

test('what a tool changed in a turn can be taken back with /restore, and the conversation goes on', async () => {
  const { session, events, workspace } = await openSession({
    'a.txt': 'before',
    '.gemini/settings.json': '{"general": {"checkpointing": {"enabled": true}}}',
  });
  const file = join(workspace, 'a.txt');
  const isDone = (turns: number) =>
    until(() => events.filter((event) => event.type === 'turn' && event.state === 'completed')[turns - 1]);
  session.submit({ kind: 'prompt', text: 'write it', origin: alice });
  session.answer((await waiting(events)).id, { optionId: 'proceed_once' }, alice);
  await isDone(1);
  expect(readFileSync(file, 'utf8')).toBe('after');

  session.submit(command('/restore'));
  await isDone(2);
  const [checkpoint = ''] = /\d{4}-\S+a\.txt-write_file/.exec(textOf(events)) ?? [];
  session.submit(command(`/restore ${checkpoint}`));
  await isDone(3);
  expect(readFileSync(file, 'utf8')).toBe('before');

  session.submit({ kind: 'prompt', text: 'and now?', origin: alice });
  await isDone(4);
  const { contents = [] } = model.requests.at(-1) ?? {};
  expect(JSON.stringify(contents)).toContain('took the workspace back');
  const called = contents.findIndex(({ parts }) => parts.some(({ functionCall }) => functionCall));
  expect(contents[called + 1]?.parts[0]).toHaveProperty('functionResponse');
});
