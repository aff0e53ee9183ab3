import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/protocols/development-tool/extension.js';
import { all, nextId, type Seen, type Transport } from '../support/a2a-transports.js';
import { type Checklist, codeOn, failure, later, openChecklist, transportNames } from '../support/checklist.js';

let checklist: Checklist;
beforeAll(async () => {
  checklist = await openChecklist();
});
afterAll(() => checklist.close());
const on = (name: string): Transport => checklist.on(name);

describe.each(transportNames)('%s', (name) => {
  test('3.1.1 a message to a finished task is refused, and names the context to go on in', async () => {
    const { id = '', contextId = '' } = await on(name).send({ text: 'hello' });
    const before = await on(name).get(id);
    const error = await failure(on(name).send({ text: 'more', taskId: id }));
    expect(error.code).toBe(codeOn(name, 'unsupported'));
    expect(error.message).toContain(contextId);
    expect(await on(name).get(id)).toEqual(before);
  });

  test('3.1.1 an unknown task is not found, by every operation', async () => {
    const unknown = [
      () => on(name).send({ text: 'hello', taskId: 'none' }),
      () => on(name).get('none'),
      () => on(name).cancel('none'),
      () => all(on(name).subscribe('none')),
    ];
    for (const call of unknown) expect((await failure(call())).code).toBe(codeOn(name, 'notFound'));
  });

  test('3.1.2 a stream is the task, then updates, and closes at the terminal state', async () => {
    const events = await all(on(name).stream({ text: 'hello' }));
    expect(events.map(({ what, state }) => [what, state])).toEqual([
      ['task', 'submitted'],
      ['status', 'working'],
      ['artifact', undefined],
      ['status', 'completed'],
    ]);
  });

  test('3.1.2 or it is one message', async () => {
    const events = await all(on(name).stream({ text: 'hello', messageId: `tck-message-response-${nextId()}` }));
    expect(events.map(({ what, texts }) => [what, ...texts])).toEqual([['message', 'Direct message response']]);
    const answer = await on(name).send({ text: 'hello', messageId: `tck-message-response-${nextId()}` });
    expect(answer.what).toBe('message');
  });

  test('3.1.3, 3.2.4 historyLength: unset is all, 0 none, n at most n', async () => {
    const { id = '' } = await on(name).send({ text: 'hello' });
    const length = async (n?: number): Promise<number> => (await on(name).get(id, n)).history;
    expect([await length(), await length(0), await length(1), await length(9)]).toEqual([2, 0, 1, 2]);
  });

  test('3.1.5 a running task is cancelled; a finished one cannot be', async () => {
    const { id = '' } = await on(name).send({ text: 'hold' }, later);
    expect((await on(name).cancel(id)).state).toBe('canceled');
    const again = on(name).cancel(id);
    if (name.endsWith('v1.0')) expect((await again).state).toBe('canceled');
    else expect((await failure(again)).code).toBe(codeOn(name, 'notCancelable'));
    const { id: done = '' } = await on(name).send({ text: 'hello' });
    expect((await failure(on(name).cancel(done))).code).toBe(codeOn(name, 'notCancelable'));
  });

  test('3.1.6 a subscription begins with the task, stays over a pause and ends with the task', async () => {
    const { id = '' } = await on(name).send({ text: 'tool' });
    const watching = all(on(name).subscribe(id));
    await sleep(50);
    await on(name).send({ data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' }, taskId: id });
    const events = await watching;
    expect([events[0]?.what, events[0]?.state]).toEqual(['task', 'input-required']);
    expect(events.at(-1)?.state).toBe('completed');
    expect((await failure(all(on(name).subscribe(id)))).code).toBe(codeOn(name, 'unsupported'));
  });

  test('3.2.2 a send waits until the task is over or needs input; returnImmediately does not', async () => {
    expect((await on(name).send({ text: 'hello 5' })).state).toBe('completed');
    expect((await on(name).send({ text: 'tool' })).state).toBe('input-required');
    expect((await on(name).send({ text: 'pause' })).state).toBe('input-required');
    expect((await on(name).send({ text: 'hold' }, later)).state).toBe('working');
  });

  test('3.3.2 malformed messages are named so', async () => {
    for (const wrong of [{}, { text: 'hello', messageId: '' }])
      expect((await failure(on(name).send(wrong))).code).toBe(codeOn(name, 'malformed'));
  });

  test('3.4.1 a context is generated, or taken as the client gave it, never replaced', async () => {
    const { contextId = '' } = await on(name).send({ text: 'hello' });
    expect(contextId).toMatch(/^[\w-]{8,}$/);
    const own = `own-${nextId()}`;
    expect((await on(name).send({ text: 'hello', contextId: own })).contextId).toBe(own);
    const tooLong = on(name).send({ text: 'hello', contextId: 'x'.repeat(300) });
    expect((await failure(tooLong)).code).toBe(codeOn(name, 'malformed'));
  });

  test('3.4.2, 3.4.3 task ids are ours; the context follows from the task, and another one is refused', async () => {
    const { id = '', contextId = '' } = await on(name).send({ text: 'pause' });
    const next = await on(name).send({ text: 'hello', taskId: id });
    expect([next.id, next.contextId, next.state]).toEqual([id, contextId, 'completed']);
    const paused = await on(name).send({ text: 'pause' });
    const wrong = on(name).send({ text: 'hello', taskId: paused.id ?? '', contextId: 'another' });
    expect((await failure(wrong)).code).toBe(codeOn(name, 'malformed'));
  });

  test('3.5.2 all streams of a task get the same events in the same order; leaving one ends no other', async () => {
    const { id = '' } = await on(name).send({ text: 'count 20' }, later);
    const leaving = on(name).subscribe(id);
    await leaving.next();
    const watching = [all(on(name).subscribe(id)), all(on(name).subscribe(id))];
    await leaving.return();
    const [one = [], two = []] = await Promise.all(watching);
    const tail = (events: Seen[]): string[] => events.slice(1).map((event) => JSON.stringify(event));
    expect(tail(one).slice(-2)).toEqual(tail(two).slice(-2));
    expect(one.at(-1)?.state).toBe('completed');
  });

  test('3.5.2 with the extension every chunk arrives once and in order, at several subscribers', async () => {
    const headers = { 'a2a-extensions': extensionUri };
    const sending = on(name).stream({ text: 'count 30' }, { headers });
    const { value: task } = await sending.next();
    const watching = all(on(name).subscribe(task?.id ?? '', headers));
    const texts = (events: Seen[]): string[] => events.slice(task ? 0 : 1).flatMap((event) => event.texts);
    const sent = texts(await all(sending));
    expect(sent.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => `${30 - index} `));
    const seen = texts((await watching).slice(1));
    expect(seen.length).toBeGreaterThan(0);
    expect(sent.slice(-seen.length)).toEqual(seen);
  });

  test('3.6 only major and minor of the version count', async () => {
    const version = name.endsWith('1.0') ? '1.0.7' : '0.3.2';
    const { state } = await on(name).send({ text: 'hello' }, { headers: { 'a2a-version': version } });
    expect(state).toBe('completed');
  });

  test('3.6.2 an unknown version is refused', async () => {
    const { code } = await failure(on(name).send({ text: 'hello' }, { headers: { 'a2a-version': '99.0' } }));
    expect([-32009, 400, 9]).toContain(code);
  });

  test('4.6 a version of the extension that is not ours is refused clearly', async () => {
    const asked = extensionUri.replace('/v0/', '/v1/');
    const error = await failure(on(name).send({ text: 'hello' }, { headers: { 'a2a-extensions': asked } }));
    expect(error.code).toBe(codeOn(name, 'unsupported'));
    expect(error.message).toContain('this agent speaks v0');
  });

  test('5.7 times are UTC with milliseconds, artifacts carry the answer', async () => {
    const events = await all(on(name).stream({ text: 'hello' }));
    expect(events.find(({ what }) => what === 'artifact')?.texts).toEqual(['You said: hello']);
    expect(events.at(-1)?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('the same message twice is one task, and its answer is told again', async () => {
    const message = { text: 'hello', messageId: nextId(), contextId: `twice-${nextId()}` };
    const first = await all(on(name).stream(message));
    const second = await all(on(name).stream(message));
    expect(second.map(({ what, id, state }) => [what, id, state])).toEqual(
      first.map(({ what, id, state }) => [what, id, state]),
    );
    expect((await on(name).send(message)).id).toBe(first[0]?.id);
  });

  test('of several questions each can be answered alone, and the exchange ends while others wait', async () => {
    const headers = { 'a2a-extensions': extensionUri };
    const { id: taskId = '' } = await on(name).send({ text: 'tools' });
    const answer = (callId: string) => ({ taskId, data: { tool_call_id: callId, selected_option_id: 'proceed_once' } });
    const one = await all(on(name).stream(answer('call-1'), { headers }));
    expect(one.at(-1)?.state).toBe('input-required');
    const two = await all(on(name).stream(answer('call-2'), { headers }));
    expect(two.at(-1)?.state).toBe('completed');
  });
});
