import { describe, expect, test } from 'vitest';
import { alice, bob, openHub, prompt, tui } from '../support/hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';

function asked(call = waitingShell()) {
  const hub = openHub();
  hub.session.submit(prompt('go'));
  hub.engine.report({ type: 'tool', call });
  const tools = () => hub.events.flatMap((event) => (event.type === 'tool' ? [event.call] : []));
  return { ...hub, tools };
}

describe('[000-7.3] the first answer wins', () => {
  test('the second one is told who was first, how and when', () => {
    const { session, engine } = asked();
    session.answer('call-1', { optionId: 'proceed_once' }, alice);
    expect(() => session.answer('call-1', { optionId: 'cancel' }, bob)).toThrow(
      expect.objectContaining({
        code: 'already-answered',
        details: {
          callId: 'call-1',
          optionId: 'proceed_once',
          resolvedBy: alice,
          at: expect.any(String),
        },
      }),
    );
    expect(engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'proceed_once' } }]);
  });

  test('the terminal loses against a client that was faster', () => {
    const { session, engine } = asked();
    session.answer('call-1', { optionId: 'cancel' }, alice);
    expect(engine.host.tryAnswer('call-1', 'proceed_once')).toBe(false);
  });

  test('a client loses against the terminal', () => {
    const { session, engine, tools } = asked();
    expect(engine.host.tryAnswer('call-1', 'proceed_once')).toBe(true);
    expect(tools().at(-1)).toMatchObject({ status: 'executing', resolution: { by: tui } });
    expect(() => session.answer('call-1', { optionId: 'cancel' }, alice)).toThrow(
      expect.objectContaining({ code: 'already-answered' }),
    );
    expect(engine.answered).toEqual([]);
  });

  test('the correlation id of the question names the call too', () => {
    const { session, engine } = asked();
    expect(session.answer('question-call-1', { optionId: 'proceed_once' }, alice)).toEqual({ callId: 'call-1' });
    expect(() => session.answer('question-call-1', { optionId: 'cancel' }, bob)).toThrow(
      expect.objectContaining({ code: 'already-answered' }),
    );
    expect(engine.answered).toHaveLength(1);
  });
});

describe('answers that cannot be', () => {
  test.each([
    ['an unknown call', 'nope', { optionId: 'proceed_once' }, 'unknown-tool-call'],
    ['an option that was not offered', 'call-1', { optionId: 'banana' }, 'bad-request'],
    ['new content for a shell command', 'call-1', { optionId: 'proceed_once', newContent: 'x' }, 'bad-request'],
  ])('%s', (_name, id, answer, code) => {
    const { session, engine } = asked();
    expect(() => session.answer(id, answer, alice)).toThrow(expect.objectContaining({ code }));
    expect(session.snapshot.pending).toHaveLength(1);
    expect(engine.answered).toEqual([]);
  });

  test('an editor cannot be opened from afar, but a changed file may be sent', () => {
    const { session, engine } = asked(waitingEdit());
    expect(() => session.answer('edit-1', { optionId: 'modify_with_editor' }, alice)).toThrow('not an option');
    session.answer('edit-1', { optionId: 'proceed_once', newContent: 'mine' }, alice);
    expect(engine.answered).toHaveLength(1);
  });

  test('questions need answers', () => {
    const details = { kind: 'questions', description: '0. Which?', questions: [{ question: 'Which?' }] } as const;
    const options = [
      { id: 'proceed_once', name: 'Submit answers' },
      { id: 'cancel', name: 'Dismiss' },
    ];
    const { session, engine } = asked({ ...waitingShell(), approval: { options, details } });
    expect(() => session.answer('call-1', { optionId: 'proceed_once' }, alice)).toThrow('send answers');
    session.answer('call-1', { optionId: 'proceed_once', answers: { '0': 'SQLite' } }, alice);
    expect(engine.answered[0]?.answer.answers).toEqual({ '0': 'SQLite' });
  });
});

describe('a call moves forward and never back', () => {
  test('from asked to answered to running to done, with who answered on every step after', () => {
    const { session, engine, tools, events } = asked();
    session.answer('call-1', { optionId: 'proceed_once' }, alice);
    const { approval: _approval, ...base } = waitingShell();
    engine.report(
      { type: 'tool', call: { ...base, status: 'pending' } },
      { type: 'tool', call: waitingShell() },
      { type: 'tool', call: { ...base, status: 'executing' } },
      { type: 'tool', call: { ...base, status: 'succeeded', output: { kind: 'text', text: 'ok' } } },
      { type: 'tool', call: { ...base, status: 'executing' } },
    );
    expect(tools().map((call) => call.status)).toEqual(['waiting', 'executing', 'succeeded']);
    expect(tools().at(-1)).toMatchObject({ resolution: { by: alice } });
    const states = events.flatMap((event) => (event.type === 'turn' ? [event.state] : []));
    expect(states).toEqual(['working', 'input-required', 'working']);
  });

  test('the state is input-required until the last of several questions is answered', () => {
    const { session, engine } = asked(waitingShell('a'));
    engine.report({ type: 'tool', call: waitingShell('b') });
    session.answer('a', { optionId: 'proceed_once' }, alice);
    expect(session.state).toBe('input-required');
    session.answer('b', { optionId: 'cancel' }, bob);
    expect(session.state).toBe('working');
  });

  test('a call that needs no permission is pending before it runs, also when the engine reports it late', () => {
    const { engine, tools } = asked();
    const free = { id: 'free', name: 'read_file', args: {} } as const;
    engine.report({ type: 'tool', call: { ...free, status: 'executing' } });
    expect(tools().flatMap(({ id, status }) => (id === 'free' ? [status] : []))).toEqual(['pending', 'executing']);
  });

  test('a question that is asked again under a new id, as after a restart, is published once', () => {
    const { session, engine, tools } = asked();
    engine.report({ type: 'tool', call: waitingShell('call-1', 'asked again') });
    expect(tools().map(({ status }) => status)).toEqual(['waiting']);
    session.answer('call-1', { optionId: 'proceed_once' }, alice);
    expect(engine.answered).toHaveLength(1);
  });

  test('an editor opened at the terminal leads to a new question about the same call', () => {
    const { session, engine, tools } = asked(waitingEdit());
    expect(engine.host.tryAnswer('edit-1', 'modify_with_editor')).toBe(true);
    engine.report({ type: 'tool', call: { ...waitingEdit(), correlationId: 'second-question' } });
    expect(tools().map((call) => call.status)).toEqual(['waiting', 'executing', 'waiting']);
    session.answer('edit-1', { optionId: 'proceed_once' }, alice);
    expect(engine.answered).toHaveLength(1);
  });
});
