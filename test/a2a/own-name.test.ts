import { expect, test } from 'vitest';
import { jsonRpcForms } from '../../src/server/a2a/streams/forms.js';
import { TaskBook } from '../../src/server/a2a/tasks/task-book.js';
import { openHub, prompt } from '../support/hub.js';

test.each([true, false])(
  'a reader with its own name for the context makes nobody else write an event twice, extension: %s',
  (isExtended) => {
    const { session, engine } = openHub();
    const book = new TaskBook(session);
    const { turnId } = session.submit(prompt('hello'));
    engine.report({ type: 'artifact', artifact: { id: 'a', name: 'a', parts: [{ kind: 'text', text: 'made' }] } });
    const task = book.get(turnId);
    const event = session.eventsAfter(0).at(-1);
    if (!task || !event) throw new Error('no event of a task');
    const audience = { task, contextId: task.contextId, isExtended, previous: undefined };
    const { v1 } = jsonRpcForms();
    const first = v1.of(event, audience);
    const named = v1.of(event, { ...audience, contextId: 'mine' });
    expect(named).toEqual(first.map((json) => json.replace(`"${session.id}"`, '"mine"')));
    expect(v1.of(event, audience)).toBe(first);
  },
);
