import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { all, type Transport, transportNames, watch } from '../support/a2a/transport.js';
import { type Checklist, codeOn, failure, openChecklist } from '../support/checklist.js';
import { alice, openHub, prompt } from '../support/hub.js';

describe.each(transportNames)('--turn-end input-required on %s', (name) => {
  let checklist: Checklist;
  beforeAll(async () => {
    checklist = await openChecklist({ turnEnd: 'input-required' });
  });
  afterAll(() => checklist.close());
  const on = (): Transport => checklist.on(name);

  test('a turn that is done has its answer and waits, and the next message continues the same task', async () => {
    const first = await all(on().stream({ text: 'hello' }));
    expect(first.map(({ what, state }) => [what, state])).toEqual([
      ['task', 'submitted'],
      ['status', 'working'],
      ['artifact', undefined],
      ['artifact', undefined],
      ['status', 'input-required'],
    ]);
    if (name.endsWith('v0.3')) expect(first.at(-1)?.final).toBe(true);
    const taskId = first[0]?.id ?? '';
    const second = await all(on().stream({ text: 'again', taskId }));
    expect(new Set([...first, ...second].map(({ id }) => id))).toEqual(new Set([taskId]));
    expect(second.find(({ what }) => what === 'artifact')?.texts).toEqual(['You said: again']);
    expect(await on().get(taskId, 9)).toMatchObject({ state: 'input-required', history: 4 });
  });

  test('it never completes, and is over when it is cancelled', async () => {
    const { id = '', state } = await on().send({ text: 'hello' });
    expect(state).toBe('input-required');
    const watching = await watch(on().subscribe(id));
    await on().send({ text: 'again', taskId: id });
    expect((await on().cancel(id)).state).toBe('canceled');
    expect((await watching.rest).at(-1)?.state).toBe('canceled');
    expect((await failure(on().send({ text: 'more', taskId: id }))).code).toBe(codeOn(name, 'unsupported'));
  });

  test('a turn that failed is over all the same', async () => {
    expect((await on().send({ text: 'fail' })).state).toBe('failed');
  });
});

test('other surfaces see the turn completed, and a message cannot continue it unless it was asked for', () => {
  const { session, engine, events } = openHub({ turnEnd: 'input-required' });
  const { turnId } = session.submit(prompt('hello'));
  engine.end();
  expect(events.at(-1)).toMatchObject({ type: 'turn', state: 'completed', turnId });
  expect(session.submit({ ...prompt('more'), turnId }).turnId).toBe(turnId);

  const plain = openHub();
  const over = plain.session.submit(prompt('hello')).turnId;
  plain.engine.end();
  expect(() => plain.session.submit({ ...prompt('more', alice), turnId: over })).toThrow(
    'is not waiting for a message',
  );
});

test('a message that a full queue refuses leaves its turn open for it', () => {
  const { session, engine } = openHub({ turnEnd: 'input-required', maxQueued: 1 });
  const { turnId } = session.submit(prompt('hello'));
  engine.end();
  session.submit(prompt('running'));
  session.submit(prompt('waiting'));
  const more = { ...prompt('more'), turnId };
  expect(() => session.submit(more)).toThrow('prompts are already waiting');
  engine.end();
  engine.end();
  expect(session.submit(more)).toMatchObject({ turnId });
});
