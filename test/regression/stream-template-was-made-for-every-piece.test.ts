import { expect, test } from 'vitest';
import { toJson } from '../../src/dialects/a2a/json.js';
import { jsonTextWriter } from '../../src/dialects/a2a/text-writer.js';
import { Form } from '../../src/server/a2a/streams/form.js';
import { TaskBook } from '../../src/server/a2a/tasks/task-book.js';
import { openHub, prompt } from '../support/hub.js';

/** It took two thirds of the time of a stream. */
test('the template of a turn’s text is made once, and again when the model changes', () => {
  const { session, engine, events } = openHub();
  const book = new TaskBook(session);
  let made = 0;
  const form = new Form<string>({
    write: toJson,
    textWriter: (options) => {
      made++;
      return jsonTextWriter(toJson, options);
    },
  });
  const { turnId } = session.submit(prompt('go'));
  engine.report({ type: 'settings', model: 'one', approvalMode: 'default' });
  for (let piece = 0; piece < 10; piece++) engine.say('word ');
  const task = book.get(turnId);
  if (!task) throw new Error('the turn is not a task');
  const audience = { task, contextId: task.contextId, isExtended: true, previous: undefined };
  const write = (): void => events.splice(0).forEach((event) => event.type === 'text' && form.of(event, audience));
  write();
  expect(made).toBe(1);
  engine.report({ type: 'settings', model: 'two', approvalMode: 'default' });
  for (let piece = 0; piece < 10; piece++) engine.say('word ');
  write();
  expect(made).toBe(2);
});
