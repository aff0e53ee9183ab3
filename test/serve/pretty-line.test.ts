import { expect, test } from 'vitest';
import { prettyLine } from '../../src/apps/serve/pretty-line.js';

const time = '2026-11-17T10:20:30.000Z';
const clock = new Date(time).toTimeString().slice(0, 8);
const pretty = (facts: object, useColor = false): string =>
  prettyLine(`${JSON.stringify({ time, ...facts })}\n`, useColor);

test('a line for people has the time, the message and the facts', () => {
  const facts = { level: 'info', msg: 'listening', url: 'http://localhost:41242/', port: 41_242 };
  expect(pretty(facts)).toBe(`${clock} listening url=http://localhost:41242/ port=41242\n`);
});

test('an error is red and shows its stack; what others sent cannot move the cursor', () => {
  const cause = { type: 'Error', message: 'no disk', stack: 'Error: no disk\n    at store' };
  expect(pretty({ level: 'error', msg: 'store unavailable', reason: 'x\u001b[2Jy', cause })).toBe(
    `${clock} error: store unavailable reason=xy\nError: no disk\n    at store\n`,
  );
  expect(pretty({ level: 'error', msg: 'bad' }, true)).toContain('\u001b[31merror: bad\u001b[0m');
});

test('a request is one short line', () => {
  const facts = {
    requestId: 'x',
    taskId: 'one',
    method: 'POST',
    route: '/tasks',
    status: 201,
    ms: 12,
    principal: 'token:ada',
  };
  expect(pretty({ level: 'info', msg: 'request', ...facts })).toBe(
    `${clock} POST /tasks 201 12 ms taskId=one principal=token:ada\n`,
  );
});
