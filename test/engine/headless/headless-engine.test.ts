import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, say, think } from '../../../src/demo/reply.js';
import type { SessionEvent } from '../../../src/domain/events.js';
import type { ToolCall } from '../../../src/domain/tool-call.js';
import { headlessWorld } from '../../support/headless.js';
import { alice, bob, prompt } from '../../support/hub.js';
import { scriptOf } from '../../support/scripts.js';
import { until } from '../../support/until.js';

const script = scriptOf({
  think: [think('Plan', 'say hello'), say('Hello '), say('there')],
  shell: [
    say('Running. '),
    call('run_shell_command', { command: 'touch made-by-shell && printf done', description: 'x' }),
  ],
  write: [call('write_file', { file_path: 'note.txt', content: 'one\n' })],
  both: [
    call('write_file', { file_path: 'a.txt', content: 'a\n' }),
    call('write_file', { file_path: 'b.txt', content: 'b\n' }),
  ],
  forever: { chunks: [[say('x')], [say('y')]], pauseMs: 60_000 },
  busy: { chunks: [], error: { status: 503, message: 'the model is overloaded' } },
  broken: { chunks: [], error: { status: 400, message: 'that is not a good request' } },
  circle: { chunks: Array.from({ length: 400 }, () => [say('round and round the mulberry bush we go again, ')]) },
});

let world: Awaited<ReturnType<typeof headlessWorld>>;
beforeAll(async () => {
  world = await headlessWorld({ script });
});
afterAll(() => world.model.close());

const isOver = (events: readonly SessionEvent[]) =>
  events.find((event) => event.type === 'turn' && ['completed', 'failed', 'canceled'].includes(event.state));
const over = (events: readonly SessionEvent[]) => until(() => isOver(events));
const callsOf = (events: readonly SessionEvent[]): ToolCall[] =>
  events.flatMap((event) => (event.type === 'tool' ? [event.call] : []));
const waiting = (events: readonly SessionEvent[]) =>
  until(() => callsOf(events).findLast((one) => one.status === 'waiting'));
const textOf = (events: readonly SessionEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('a turn', () => {
  test('a model that is busy is told of where it was asked, and nowhere else', async () => {
    const [unlucky, other] = [world.open(), world.open()];
    other.session.submit(prompt('forever'));
    await until(() => textOf(other.events) !== '');
    unlucky.session.submit(prompt('busy'));
    const logsOf = (events: readonly SessionEvent[]) => events.flatMap((event) => (event.type === 'log' ? event : []));
    const told = await until(() => logsOf(unlucky.events)[0]);
    expect(told.text).toContain('the model is overloaded');
    expect(logsOf(other.events)).toEqual([]);
    other.session.cancel(alice);
    for (const { events, engine } of [unlucky, other]) {
      await over(events);
      await engine.dispose();
    }
  });

  test('text and thoughts arrive in order and the turn completes', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('think about it'));
    expect(await over(events)).toMatchObject({ state: 'completed' });
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['prompt', 'turn', 'settings', 'thought', 'text', 'usage']),
    );
    expect(textOf(events)).toBe('Hello there');
    await engine.dispose();
  });

  test('a shell command waits, runs once approved, and the model hears of it', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('shell please'));
    const asked = await waiting(events);
    expect(asked).toMatchObject({ name: 'run_shell_command', approval: { details: { kind: 'execute' } } });
    expect(existsSync(join(world.workspace, 'made-by-shell'))).toBe(false);
    session.answer(asked.id, { optionId: 'proceed_once' }, alice);
    expect(() => session.answer(asked.id, { optionId: 'cancel' }, bob)).toThrow(/was answered/);
    expect(await over(events)).toMatchObject({ state: 'completed' });
    expect(existsSync(join(world.workspace, 'made-by-shell'))).toBe(true);
    expect(callsOf(events).map(({ status }) => status)).toEqual(
      expect.arrayContaining(['waiting', 'executing', 'succeeded']),
    );
    expect(callsOf(events).at(-1)).toMatchObject({ status: 'succeeded', resolution: { by: alice } });
    expect(textOf(events)).toBe('Running. All done.');
    await engine.dispose();
  });

  test('a file is written with the content the answer brings', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('write a note'));
    const asked = await waiting(events);
    session.answer(asked.id, { optionId: 'proceed_once', newContent: 'two\n' }, alice);
    await over(events);
    expect(readFileSync(join(world.workspace, 'note.txt'), 'utf8')).toBe('two\n');
    await engine.dispose();
  });

  test('a declined tool ends the turn as completed, and nothing ran', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('write a note'));
    const asked = await waiting(events);
    writeFileSync(join(world.workspace, 'note.txt'), 'untouched');
    session.answer(asked.id, { optionId: 'cancel' }, bob);
    expect(await over(events)).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(world.workspace, 'note.txt'), 'utf8')).toBe('untouched');
    expect(callsOf(events).at(-1)).toMatchObject({ status: 'cancelled', resolution: { by: bob } });
    await engine.dispose();
  });

  test('a cancel while the model speaks and while a tool waits', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('forever'));
    await until(() => textOf(events) !== '');
    session.cancel(alice);
    expect(await over(events)).toMatchObject({ state: 'canceled' });
    session.submit(prompt('write a note'));
    await waiting(events);
    session.cancel(bob);
    await until(() => events.filter((event) => event.type === 'turn' && event.state === 'canceled').length === 2);
    expect(callsOf(events).at(-1)).toMatchObject({ status: 'cancelled', resolution: { by: bob } });
    await engine.dispose();
  });

  test('an error of the model is the error of the turn, in a sentence', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('broken'));
    expect(await over(events)).toMatchObject({ state: 'failed', error: 'that is not a good request' });
    session.submit(prompt('think again'));
    await until(() => textOf(events) === 'Hello there');
    await engine.dispose();
  });

  test('a model that goes round in circles is stopped', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('circle'));
    expect(await over(events)).toMatchObject({ state: 'failed', error: expect.stringContaining('repeats itself') });
    await engine.dispose();
  });
});

describe('a reply that breaks off', () => {
  const sentence = [[say('One ')], [say('two ')], [say('three')]];

  test('is asked for again from the same history, and everybody is told that it starts again', async () => {
    let cuts = 0;
    const world = await headlessWorld({
      script: () => (cuts++ < 1 ? { chunks: sentence, cutAfter: 2, pauseMs: 20 } : { chunks: sentence }),
    });
    const { session, events, engine } = world.open();
    session.submit(prompt('count'));
    expect(await over(events)).toMatchObject({ state: 'completed' });
    expect(textOf(events)).toMatch(/One two three$/);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'log',
        level: 'warn',
        text: expect.stringContaining('starts from the beginning') as string,
      }),
    );
    const [first, second] = world.model.requests;
    expect(second?.contents).toEqual(first?.contents);
    await engine.dispose();
    await world.model.close();
  });

  test('again and again ends the turn with the reason', async () => {
    const world = await headlessWorld({ script: () => ({ chunks: sentence, cutAfter: 2, pauseMs: 20 }) });
    const { session, events, engine } = world.open();
    session.submit(prompt('count'));
    expect(await over(events)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('broke off') as string,
    });
    expect(world.model.requests).toHaveLength(4);
    await engine.dispose();
    await world.model.close();
  });
});

test('a checkpoint contains only what is new since the last one', async () => {
  const { session, events, engine, checkpoints, saves } = world.open();
  const turns = (): number => events.filter((event) => event.type === 'turn' && event.state === 'completed').length;
  for (const text of ['think about it', 'write please', 'hello', 'think again']) {
    const before = turns();
    session.submit(prompt(text));
    const asked = text.startsWith('write') ? await waiting(events) : undefined;
    if (asked) session.answer(asked.id, { optionId: 'proceed_once' }, alice);
    await until(() => turns() > before);
    const { config } = await engine.opened();
    const whole: unknown = JSON.parse(JSON.stringify(config.geminiClient.getChat().getHistoryTurns()));
    expect(checkpoints.at(-1)?.history).toEqual(whole);
  }
  const sizes = saves.map(({ kept, history }) => [kept, history.length]);
  const whole = checkpoints.at(-1)?.history.length ?? 0;
  expect(sizes[0]).toEqual([undefined, 2]);
  expect(sizes.slice(1).every(([kept = 0, added]) => kept >= 2 && (added ?? 9) <= 2)).toBe(true);
  expect(sizes.at(-1)).toEqual([whole - 2, 2]);
  await engine.dispose();
});

describe('after a restart', () => {
  test('a question is asked again under the same id, and the approved tool runs once', async () => {
    const first = world.open();
    first.session.submit(prompt('both files'));
    const asked = await waiting(first.events);
    first.session.answer(asked.id, { optionId: 'proceed_once' }, alice);
    const second = await until(() =>
      callsOf(first.events).findLast((one) => one.status === 'waiting' && one.id !== asked.id),
    );
    await first.session.suspend();
    const checkpoint = first.checkpoints.at(-1);
    await first.engine.dispose();
    writeFileSync(join(world.workspace, 'a.txt'), 'changed meanwhile\n');

    const next = world.open({ earlier: [...first.events], ...(checkpoint ? { checkpoint } : {}) });
    expect(next.session.snapshot).toMatchObject({ state: 'input-required', pending: [{ id: second?.id }] });
    next.session.answer(second?.id ?? '', { optionId: 'proceed_once' }, bob);
    await until(() => textOf(next.events).endsWith('All done.'));
    await until(() => next.session.state === 'completed');
    expect(readFileSync(join(world.workspace, 'b.txt'), 'utf8')).toBe('b\n');
    expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('changed meanwhile\n');
    await next.engine.dispose();
  });
});
