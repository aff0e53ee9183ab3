import { expect, test } from 'vitest';
import { TaskBook } from '../../src/server/a2a/tasks/task-book.js';
import { memoryStore } from '../../src/stores/memory.js';
import { openHub, prompt } from '../support/hub.js';

function hubWithCount() {
  const store = memoryStore();
  let asked = 0;
  const turn: typeof store.turn = (...which) => {
    asked++;
    return store.turn(...which);
  };
  return { ...openHub({ store: { ...store, turn } }), asked: () => asked };
}

test('the store is asked once about a turn whose every event was seen', async () => {
  const { engine, session, asked } = hubWithCount();
  const book = new TaskBook(session);
  const { turnId } = await session.send(prompt('hello'));
  engine.say('one');
  expect(await book.recall(turnId)).toMatchObject({ text: 'one', state: 'working' });
  engine.say(' two');
  engine.end();
  expect(await book.recall(turnId)).toMatchObject({ text: 'one two', state: 'completed' });
  expect(asked()).toBe(1);
});
