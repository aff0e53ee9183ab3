import { expect, test } from 'vitest';
import { alice, bob, openHub, prompt } from '../support/hub.js';

test('a turn whose cancel was accepted ends as canceled, also when the engine was done at that moment', () => {
  const { engine, session, events } = openHub();
  session.submit(prompt('one'));
  session.cancel(bob);
  engine.say('the last word');
  engine.end('completed');
  expect(session.state).toBe('canceled');
  expect(events.at(-1)).toMatchObject({ type: 'turn', state: 'canceled' });

  session.submit(prompt('two'));
  engine.end('completed');
  expect(session.state).toBe('completed');
});

test('a turn that failed while it was being canceled says why', () => {
  const { engine, session, events } = openHub();
  session.submit(prompt('one'));
  session.cancel(alice);
  engine.end('failed', 'the model is gone');
  expect(events.at(-1)).toMatchObject({ type: 'turn', state: 'failed', error: 'the model is gone' });
});
