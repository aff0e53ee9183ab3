import { expect } from 'vitest';
import { extensionUri } from '../../../src/dialects/development-tool/extension.js';
import { artifactsOf } from '../../support/a2a/seen.js';
import { all, nextId, type Seen, watch } from '../../support/a2a/transport.js';
import { codeOn, failure, later } from '../../support/checklist.js';
import type { Line } from './line.js';

const headers = { 'a2a-extensions': extensionUri };

/** Answers the question that the turn waits for: it goes on when every subscription is in force, whatever the machine does. */
const goOn = (taskId = '') => ({ taskId, data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' } });
const numbersFrom = (first: number): string[] => Array.from({ length: first }, (_, index) => `${first - index} `);
const textsOf = (events: readonly Seen[]): string[] => events.flatMap(({ texts }) => texts);

export const streamLines: readonly Line[] = [
  {
    section: '3.1.2',
    says: 'a stream is the task, then updates, and closes at the terminal state',
    async check(on) {
      const events = await all(on.stream({ text: 'hello' }));
      expect(events.map(({ what, state }) => [what, state])).toEqual([
        ['task', 'submitted'],
        ['status', 'working'],
        ['artifact', undefined],
        ['artifact', undefined],
        ['status', 'completed'],
      ]);
    },
  },
  {
    section: '3.1.2, 4.2.2',
    says: 'the answer streams as chunks of one artifact, and the finished task contains all of it',
    async check(on) {
      const events = await all(on.stream({ text: 'count 3' }));
      const chunks = events.flatMap(({ chunk, texts }) => (chunk ? [[...texts, chunk.append, chunk.lastChunk]] : []));
      expect(chunks).toEqual([
        ['3 ', false, false],
        ['2 ', true, false],
        ['1 ', true, false],
        ['You said: count 3', true, false],
        ['', true, true],
      ]);
      const { made } = await on.get(events[0]?.id ?? '');
      expect(made).toEqual({ answer: '3 2 1 You said: count 3' });
      expect(artifactsOf(events)).toEqual(made);
    },
  },
  {
    section: '3.1.2',
    says: 'or a stream is one message',
    async check(on) {
      const events = await all(on.stream({ text: 'hello', messageId: `tck-message-response-${nextId()}` }));
      expect(events.map(({ what, texts }) => [what, ...texts])).toEqual([['message', 'Direct message response']]);
      const answer = await on.send({ text: 'hello', messageId: `tck-message-response-${nextId()}` });
      expect(answer.what).toBe('message');
    },
  },
  {
    section: '3.1.6',
    says: 'a subscription begins with the task, survives a pause and ends with the task',
    async check(on) {
      const { id = '' } = await on.send({ text: 'tool' });
      const watching = on.subscribe(id);
      expect((await watching.next()).value).toMatchObject({ what: 'task', state: 'input-required' });
      await on.send(goOn(id));
      expect((await all(watching)).at(-1)?.state).toBe('completed');
      expect((await failure(all(on.subscribe(id)))).code).toBe(codeOn(on.name, 'unsupported'));
    },
  },
  {
    section: '3.5.2',
    says: 'all streams of a task get the same events in the same order; closing one ends no other',
    async check(on) {
      const { id = '' } = await on.send({ text: 'tool then count 20' });
      const leaving = on.subscribe(id);
      await leaving.next();
      const [one, two] = [await watch(on.subscribe(id)), await watch(on.subscribe(id))];
      await leaving.return();
      await on.send(goOn(id));
      const events = await one.rest;
      expect(events).toEqual(await two.rest);
      expect(events.at(-1)?.state).toBe('completed');
    },
  },
  {
    section: '3.5.2',
    says: 'with the extension, every chunk reaches several subscribers once and in order',
    async check(on) {
      const { id = '' } = await on.send({ text: 'tool then count 30' });
      const watching = await watch(on.subscribe(id, headers));
      const sent = textsOf(await all(on.stream(goOn(id), { headers })));
      expect(sent.slice(0, 30)).toEqual(numbersFrom(30));
      expect(textsOf(await watching.rest)).toEqual(sent);
    },
  },
  {
    section: '5.7, 3.7',
    says: 'times are UTC with milliseconds, artifacts carry the answer',
    async check(on) {
      const events = await all(on.stream({ text: 'hello' }));
      expect(events.find(({ what }) => what === 'artifact')?.texts).toEqual(['You said: hello']);
      expect(events.at(-1)?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  },
  {
    section: 'v0.3 7.2',
    says: 'the last event of a send is final, also when input is required',
    not: noFinal(),
    async check(on) {
      for (const text of ['hello', 'pause', 'tool']) {
        const finals = (await all(on.stream({ text })))
          .filter(({ what }) => what === 'status')
          .map(({ final }) => final);
        expect(finals.at(-1)).toBe(true);
        expect(finals.slice(0, -1)).not.toContain(true);
      }
    },
  },
  {
    section: '(ours)',
    says: 'a stream that was cut continues with Last-Event-ID, without loss or repetition',
    async check(on) {
      const before: Seen[] = [];
      for await (const event of on.stream({ text: 'count 30 then tool then count 30' }, { headers })) {
        before.push(event);
        if (before.length === 10) break;
      }
      const { id = '', eventId: last = 0 } = before.at(-1) ?? {};
      const watching = on.subscribe(id, { ...headers, 'last-event-id': String(last) });
      const after: Seen[] = [];
      for await (const event of watching) {
        after.push(event);
        if (event.state === 'input-required' && event.what === 'status') await on.send(goOn(id));
      }
      expect(after.shift()?.what).toBe('task');
      const texts = textsOf([...before, ...after].filter(({ what }) => what === 'status'));
      expect(texts.filter((text) => /^\d+ $/.test(text))).toEqual([...numbersFrom(30), ...numbersFrom(30)]);
      // On gRPC only events with a message have a number, which still counts the others.
      const expected = after.map((_, index) => last + 1 + index);
      expect(after.map(({ eventId }, index) => eventId ?? expected[index])).toEqual(expected);
    },
  },
  {
    section: '(ours)',
    says: 'a cursor of another session is refused, not guessed',
    async check(on) {
      const { id = '' } = await on.send({ text: 'hold' }, later);
      // The first event is enough: a stream that was opened all the same would never end.
      const opening = on.subscribe(id, { 'last-event-id': '99999' }).next();
      expect((await failure(opening)).code).toBe(codeOn(on.name, 'tooSlow'));
    },
  },
  {
    section: '(ours)',
    says: 'each of several questions can be answered alone, and the exchange ends while others wait',
    async check(on) {
      const { id: taskId = '' } = await on.send({ text: 'tools' });
      const answer = (callId: string) => ({
        taskId,
        data: { tool_call_id: callId, selected_option_id: 'proceed_once' },
      });
      const one = await all(on.stream(answer('call-1'), { headers }));
      expect(one.at(-1)?.state).toBe('input-required');
      const two = await all(on.stream(answer('call-2'), { headers }));
      expect(two.at(-1)?.state).toBe('completed');
    },
  },
];

function noFinal(): NonNullable<Line['not']> {
  const why = 'v1.0 has no `final`: the stream closes';
  return { 'JSON-RPC v1.0': why, 'HTTP+JSON v1.0': why, 'gRPC v1.0': why };
}
