import { expect, test } from 'vitest';
import type { Store, StoredTask } from '../../src/stores/store.js';
import { memoryStore } from '../../src/stores/memory.js';
import { RecordKeeper } from '../../src/tasks/record-keeper.js';
import { openHub, prompt } from '../support/hub.js';
import { taskOf } from '../stores/samples.js';

function keep(saveTask: Store['saveTask']) {
  const hub = openHub();
  const known: StoredTask[] = [];
  const errors: unknown[] = [];
  const record = taskOf('session-1', { state: 'submitted' });
  const keeper = new RecordKeeper({
    store: { ...memoryStore(), saveTask },
    session: hub.session,
    record,
    keptUntil: 0,
    onSaved: (saved) => known.push(saved),
    onError: (error) => errors.push(error),
  });
  return { ...hub, keeper, known, errors };
}

test('a prompt and the start of its turn are one new version of the record', async () => {
  const saved: StoredTask[] = [];
  const { session, engine, keeper, known } = keep(async (task) => void saved.push(task));
  await session.send(prompt('go'));
  expect(saved.map(({ state }) => state)).toEqual(['working']);
  engine.report({ type: 'ended', state: 'completed' });
  await keeper.stop();
  expect(saved.map(({ state }) => state)).toEqual(['working', 'completed']);
  expect(known).toEqual(saved);
});

test('a record that cannot be saved is reported, and the next version is saved', async () => {
  const saved: StoredTask[] = [];
  const { session, engine, keeper, known, errors } = keep(async (task) => {
    if (task.state === 'working') throw new Error('the disk is full');
    saved.push(task);
  });
  await session.send(prompt('go'));
  engine.report({ type: 'ended', state: 'completed' });
  await keeper.stop();
  expect(errors).toEqual([new Error('the disk is full')]);
  expect(known).toEqual(saved);
  expect(saved.map(({ state }) => state)).toEqual(['completed']);
});
