import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplyEvents, type ReplyOptions } from '../../../../src/engine/headless/core/reply-events.js';

const noError = (): undefined => undefined;

function open(options: Partial<ReplyOptions> = {}) {
  const body = new PassThrough();
  const heard: unknown[] = [];
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  const onEvent = (event: unknown): void => void heard.push(event);
  return { body, heard, events: new ReplyEvents(body, { headers, onEvent, errorIn: noError, ...options }) };
}

async function allOf(events: ReplyEvents): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event.json());
  return all;
}

const line = (event: unknown, blankLine = '\n\n'): string => `data: ${JSON.stringify(event)}${blankLine}`;
const blankLines = ['\n\n', '\r\r', '\r\n\r\n'];

describe('the events of a reply', () => {
  test('are whole and in order however their bytes are cut', async () => {
    const anyEvents = fc.array(fc.tuple(fc.jsonValue({ stringUnit: 'grapheme' }), fc.constantFrom(...blankLines)));
    const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(anyEvents, anyCuts, async (sent, cuts) => {
        const bytes = Buffer.from(sent.map(([event, blankLine]) => line(event, blankLine)).join(''));
        const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].toSorted(
          (a, b) => a - b,
        );
        const { body, heard, events } = open();
        places.forEach((place, index) => body.write(bytes.subarray(places[index - 1] ?? 0, place)));
        body.end();
        const expected = sent.map(([event]) => JSON.parse(JSON.stringify(event)) as unknown);
        expect(await allOf(events)).toEqual(expected);
        expect(heard).toEqual(expected);
      }),
    );
  });

  test('may contain what Unicode calls the end of a line or paragraph', async () => {
    const { body, events } = open();
    body.end(line('one\u2028two\u2029three'));
    expect(await allOf(events)).toEqual(['one\u2028two\u2029three']);
  });

  test('have the headers of the reply', async () => {
    const { body, events } = open();
    body.end(line(1));
    expect((await events.next()).value).toMatchObject({ headers: { 'content-type': 'text/event-stream' } });
  });

  test('are passed on in the tick in which they arrive, and parsed one at a time as core asks for them', async () => {
    const { body, heard, events } = open();
    const first = events.next();
    body.emit('data', Buffer.from(line('one') + line('two')));
    expect(heard).toEqual(['one']);
    expect((await first).value?.json()).toBe('one');
    expect(heard).toEqual(['one']);
    const second = events.next();
    expect(heard).toEqual(['one', 'two']);
    expect((await second).value?.json()).toBe('two');
    const third = events.next();
    body.end();
    expect(await third).toMatchObject({ done: true });
  });

  test('that core does not want yet stay with their sender, beyond 256 KB', async () => {
    const { body, events } = open();
    body.emit('data', Buffer.from(line('x'.repeat(300_000)) + line('two')));
    expect(body.isPaused()).toBe(true);
    body.end();
    expect(await allOf(events)).toEqual(['x'.repeat(300_000), 'two']);
  });

  test('one of many megabytes is read to its end, in pieces', async () => {
    const { body, events } = open();
    const all = allOf(events);
    const text = 'x'.repeat(5_000_000);
    const bytes = Buffer.from(line(text));
    for (let start = 0; start < bytes.length; start += 64 * 1024)
      if (!body.write(bytes.subarray(start, start + 64 * 1024))) await once(body, 'drain');
    body.end();
    expect(await all).toEqual([text]);
  });
});

describe('a reply that does not end well', () => {
  test('an error in place of an event is thrown after the events before it', async () => {
    const error = new Error('no such luck');
    const { body, events } = open({ errorIn: (text) => (text.startsWith('{') ? error : undefined) });
    body.write(line('one'));
    expect((await events.next()).value?.json()).toBe('one');
    body.write('{"error": {"code": 400}}');
    await expect(events.next()).rejects.toBe(error);
    expect(body.destroyed).toBe(true);
  });

  test('half an event is an error', async () => {
    const { body, events } = open();
    body.end('data: {"half');
    await expect(allOf(events)).rejects.toThrow('Incomplete JSON segment at the end');
  });

  test('what is not JSON is an error', async () => {
    const { body, events } = open();
    body.end('data: what?\n\n');
    await expect(allOf(events)).rejects.toThrow(SyntaxError);
    expect(body.destroyed).toBe(true);
  });

  test('one that breaks off ends as with fetch', async () => {
    const { body, events } = open();
    const cause = new Error('other side closed');
    body.destroy(cause);
    await expect(allOf(events)).rejects.toMatchObject({ message: 'terminated', cause });
  });

  test('one that is aborted ends with the reason', async () => {
    const controller = new AbortController();
    const { body, events } = open({ signal: controller.signal });
    const end = allOf(events);
    controller.abort(new Error('enough'));
    body.destroy(new Error('aborted'));
    await expect(end).rejects.toThrow('enough');
  });

  test('one that nobody wants any more is closed', async () => {
    const { body, events } = open();
    body.write(line('one') + line('two'));
    for await (const event of events) {
      expect(event.json()).toBe('one');
      break;
    }
    expect(body.destroyed).toBe(true);
    expect(await events.next()).toMatchObject({ done: true });
  });
});
