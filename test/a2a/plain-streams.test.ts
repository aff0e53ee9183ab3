import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { memoryStore } from '../../src/stores/memory.js';
import { artifactsOf } from '../support/a2a/seen.js';
import { all, type Seen, type Transport, transportNames } from '../support/a2a/transport.js';
import { openTransport } from '../support/checklist.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

describe.each(transportNames)('a client without the extension on %s', (name) => {
  let hub: ServedHub;
  let on: Transport;
  beforeEach(async () => {
    hub = await serveHub({}, { grpcPort: 0 });
    on = openTransport(hub.server, name);
  });
  afterEach(async () => {
    on.close();
    await hub.stop();
  });

  test('reads what is said while the turn goes on', async () => {
    const events = on.stream({ text: 'go' });
    const seen = await read(events, 2);
    for (const word of ['one ', 'two ', 'three']) {
      hub.engine.say(word);
      seen.push(...(await read(events, 1)));
      expect(seen.at(-1)?.texts).toEqual([word]);
    }
    expect(artifactsOf(seen)).toEqual({ answer: 'one two three' });
    hub.engine.end('failed', 'no more');
    const rest = await all(events);
    expect(rest.map(({ what, chunk, state }) => chunk ?? [what, state])).toEqual([
      { id: 'answer', append: true, lastChunk: true },
      ['status', 'failed'],
    ]);
    expect(artifactsOf([...seen, ...rest])).toEqual({ answer: 'one two three' });
  });

  test('gets no artifact of a turn that says nothing', async () => {
    const events = on.stream({ text: 'go' });
    await read(events, 2);
    hub.engine.end();
    expect((await all(events)).map(({ what, state }) => [what, state])).toEqual([['status', 'completed']]);
  });

  test('that joins in the middle has the text so far, and then the rest', async () => {
    const sending = on.stream({ text: 'go' });
    const [task] = await read(sending, 2);
    hub.engine.say('one ');
    hub.engine.say('two ');
    const joined = on.subscribe(task?.id ?? '');
    const seen = await read(joined, 1);
    expect(seen[0]?.made).toEqual({ answer: 'one two ' });
    hub.engine.say('three');
    hub.engine.end();
    seen.push(...(await all(joined)));
    expect(artifactsOf(seen)).toEqual({ answer: 'one two three' });
    expect(artifactsOf(await all(sending))).toEqual({ answer: 'one two three' });
  });

  test('that was cut off goes on by its cursor, from a task as it was there', async () => {
    const sending = on.stream({ text: 'go' });
    const seen = await read(sending, 2);
    hub.engine.say('one ');
    // gRPC has no ids of events: a program there counts, or takes the snapshot without a cursor.
    const cursor = hub.session.seq;
    seen.push(...(await read(sending, 1)));
    await sending.return();
    hub.engine.say('two ');
    const again = on.subscribe(seen[0]?.id ?? '', { 'last-event-id': String(cursor) });
    const resumed = await read(again, 2);
    expect(resumed.map(({ made, texts }) => made ?? texts)).toEqual([{ answer: 'one ' }, ['two ']]);
    hub.engine.say('three');
    hub.engine.end();
    resumed.push(...(await all(again)));
    expect(artifactsOf([...seen, ...resumed])).toEqual({ answer: 'one two three' });
    expect(artifactsOf(resumed)).toEqual({ answer: 'one two three' });
  });

  test('sees a question in what it reads, be it states or artifacts, and the answer goes on after it', async () => {
    const events = on.stream({ text: 'go' });
    const seen = await read(events, 2);
    hub.engine.say('I will. ');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    seen.push(...(await all(events)));
    const question = seen.at(-1);
    expect([question?.what, question?.state]).toEqual(['status', 'input-required']);
    expect(question?.texts[0]).toContain('run_shell_command');
    expect(artifactsOf(seen)).toEqual({ answer: 'I will. ', 'question-call-1': question?.texts[0] });
    expect(seen.some(({ chunk }) => chunk?.lastChunk)).toBe(false);
    // A task has the question in its state: its artifacts are what the agent made.
    expect((await on.get(seen[0]?.id ?? '')).made).toEqual({ answer: 'I will. ' });

    const answering = on.stream({ taskId: seen[0]?.id ?? '', text: 'yes' });
    const second = await read(answering, 1);
    expect(second[0]?.made).toEqual({ answer: 'I will. ' });
    hub.engine.say('Done.');
    hub.engine.end();
    second.push(...(await all(answering)));
    expect(artifactsOf(second)).toEqual({ answer: 'I will. Done.' });
    expect(second.at(-1)?.state).toBe('completed');
  });

  test('that reads beside one with the extension gets its own form', async () => {
    const events = on.stream({ text: 'go' });
    const [task] = await read(events, 2);
    const extended = on.subscribe(task?.id ?? '', { 'a2a-extensions': extensionUri });
    await read(extended, 1);
    for (const word of ['one ', 'two ']) {
      hub.engine.say(word);
      const both = [...(await read(events, 1)), ...(await read(extended, 1))];
      expect(both.map(({ what, texts }) => [what, ...texts])).toEqual([
        ['artifact', word],
        ['status', word],
      ]);
    }
    await Promise.all([events.return(), extended.return()]);
  });
});

test('a client that joins while an event is being stored gets it once, when it is stored', async () => {
  const memory = memoryStore();
  let storing = Promise.resolve();
  const store = { ...memory, append: async (event: SessionEvent) => storing.then(() => void memory.append(event)) };
  const hub = await serveHub({ store, isDurable: true });
  const on = openTransport(hub.server, 'JSON-RPC v1.0');
  const sending = on.stream({ text: 'go' });
  const [task] = await read(sending, 2);
  hub.engine.say('one ');
  await read(sending, 1);
  let stored = (): void => {};
  storing = new Promise((resolve) => (stored = resolve));
  hub.engine.say('two');
  const joined = on.subscribe(task?.id ?? '');
  const seen = await read(joined, 1);
  expect(seen[0]?.made).toEqual({ answer: 'one ' });
  stored();
  seen.push(...(await read(joined, 1)));
  expect(artifactsOf(seen)).toEqual({ answer: 'one two' });
  await Promise.all([sending.return(), joined.return()]);
  await hub.stop();
});

async function read(events: AsyncGenerator<Seen>, count: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  while (seen.length < count) {
    const { value, done } = await events.next();
    if (done) throw new Error(`the stream ended after ${JSON.stringify(seen)}`);
    seen.push(value);
  }
  return seen;
}
