import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { extensionUri } from '../../../src/protocols/development-tool/extension.js';
import { all, nextId, type Seen } from '../../support/a2a/transport.js';
import { codeOn, failure, later } from '../../support/checklist.js';
import type { Line } from './line.js';

const headers = { 'a2a-extensions': extensionUri };

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
        ['status', 'completed'],
      ]);
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
    says: 'a subscription begins with the task, stays over a pause and ends with the task',
    async check(on) {
      const { id = '' } = await on.send({ text: 'tool' });
      const watching = all(on.subscribe(id));
      await sleep(50);
      await on.send({ data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' }, taskId: id });
      const events = await watching;
      expect([events[0]?.what, events[0]?.state]).toEqual(['task', 'input-required']);
      expect(events.at(-1)?.state).toBe('completed');
      expect((await failure(all(on.subscribe(id)))).code).toBe(codeOn(on.name, 'unsupported'));
    },
  },
  {
    section: '3.5.2',
    says: 'all streams of a task get the same events in the same order; leaving one ends no other',
    async check(on) {
      const { id = '' } = await on.send({ text: 'count 20' }, later);
      const leaving = on.subscribe(id);
      await leaving.next();
      const watching = [all(on.subscribe(id)), all(on.subscribe(id))];
      await leaving.return();
      const [one = [], two = []] = await Promise.all(watching);
      const tail = (events: Seen[]): string[] => events.slice(1).map((event) => JSON.stringify(event));
      expect(tail(one).slice(-2)).toEqual(tail(two).slice(-2));
      expect(one.at(-1)?.state).toBe('completed');
    },
  },
  {
    section: '3.5.2',
    says: 'with the extension every chunk arrives once and in order, at several subscribers',
    async check(on) {
      const sending = on.stream({ text: 'count 30' }, { headers });
      const { value: task } = await sending.next();
      const watching = all(on.subscribe(task?.id ?? '', headers));
      const texts = (events: Seen[]): string[] => events.flatMap((event) => event.texts);
      const sent = texts(await all(sending));
      expect(sent.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => `${30 - index} `));
      const seen = texts((await watching).slice(1));
      expect(seen.length).toBeGreaterThan(0);
      expect(sent.slice(-seen.length)).toEqual(seen);
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
    says: 'the last event of a send is final, also where input is required',
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
    says: 'a stream that was cut goes on with Last-Event-ID, without loss or repeat',
    async check(on) {
      const before: Seen[] = [];
      for await (const event of on.stream({ text: 'count 60' }, { headers })) {
        before.push(event);
        if (before.length === 10) break;
      }
      const last = before.at(-1)?.eventId ?? 0;
      const [task, ...after] = await all(
        on.subscribe(before[0]?.id ?? '', { ...headers, 'last-event-id': String(last) }),
      );
      expect(task?.what).toBe('task');
      const texts = [...before, ...after].flatMap(({ what, texts: said }) => (what === 'status' ? said : []));
      expect(texts.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => `${60 - index} `));
      // On gRPC only events with a message have a number.
      const numbers = after.flatMap(({ eventId }) => (eventId === undefined ? [] : [eventId]));
      expect(numbers).toEqual(numbers.map((_, index) => last + 1 + index));
    },
  },
  {
    section: '(ours)',
    says: 'a cursor that is not of this session is refused, not guessed',
    async check(on) {
      const { id = '' } = await on.send({ text: 'hold' }, later);
      // The first event is enough: a stream that was opened all the same would never end.
      const opening = on.subscribe(id, { 'last-event-id': '99999' }).next();
      expect((await failure(opening)).code).toBe(codeOn(on.name, 'tooSlow'));
    },
  },
  {
    section: '(ours)',
    says: 'of several questions each can be answered alone, and the exchange ends while others wait',
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
