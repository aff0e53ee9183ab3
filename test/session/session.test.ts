import { describe, expect, test } from 'vitest';
import { alice, bob, openHub, prompt, tui } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';

const states = (events: readonly { type: string }[]) =>
  events.flatMap((event) => ('state' in event && event.type === 'turn' ? [event.state] : []));
const shown = (events: readonly { type: string }[]) => events.map((event) => event.type).join(' ');

describe('turns', () => {
  test('a prompt starts at once and everything up to its end carries its turn id', () => {
    const { engine, session, events } = openHub();
    const accepted = session.submit(prompt('hello'));
    engine.say('hi');
    engine.end();

    expect(accepted.position).toBe(0);
    expect(shown(events)).toBe('prompt turn text turn');
    expect(states(events)).toEqual(['working', 'completed']);
    expect(new Set(events.map((event) => event.turnId))).toEqual(new Set([accepted.turnId]));
  });

  test('prompts that arrive while a turn runs wait, are shown as waiting, and run one per turn in order', () => {
    const { engine, session, events } = openHub();
    session.submit(prompt('one'));
    expect(session.submit(prompt('two')).position).toBe(1);
    expect(session.submit(prompt('three', bob)).position).toBe(2);
    expect(events.filter((event) => event.type === 'prompt' && event.queued)).toMatchObject([
      { text: 'two', queued: 1 },
      { text: 'three', queued: 2, origin: bob },
    ]);
    for (const text of ['one', 'two', 'three']) {
      expect(engine.started.at(-1)?.text).toBe(text);
      engine.end();
    }
    expect(engine.started).toHaveLength(3);
  });

  test('a prompt waits while the engine is not ready, and starts when it says so', () => {
    const { engine, session } = openHub();
    engine.isReady = false;
    expect(session.submit(prompt('early')).position).toBe(1);
    expect(engine.started).toEqual([]);
    engine.isReady = true;
    engine.report({ type: 'ready' });
    expect(engine.started).toHaveLength(1);
  });

  test('what is typed in the terminal is a turn like any other', () => {
    const { engine, session, events } = openHub();
    engine.isReady = false;
    engine.report({ type: 'started', text: 'typed', origin: tui });
    expect(session.submit(prompt('later')).position).toBe(1);
    engine.end();
    expect(events[0]).toMatchObject({ type: 'prompt', text: 'typed', origin: tui });
    expect(engine.started.map((request) => request.text)).toEqual(['later']);
  });

  test('the same messageId twice is one prompt, and the second answer says so', () => {
    const { engine, session } = openHub();
    const first = session.submit({ ...prompt('once'), messageId: 'm-1' });
    expect(session.submit({ ...prompt('once'), messageId: 'm-1' })).toEqual({ ...first, duplicate: true });
    expect(engine.started).toHaveLength(1);
  });

  test('the 101st waiting prompt is refused and nothing is lost', () => {
    const { engine, session } = openHub();
    for (let i = 0; i <= 100; i++) session.submit(prompt(`p${i}`));
    expect(() => session.submit(prompt('one too many'))).toThrow(expect.objectContaining({ code: 'queue-full' }));
    expect([session.queued, engine.started.length]).toEqual([100, 1]);
  });

  test('a turn that fails says why', () => {
    const { engine, session, events } = openHub();
    session.submit(prompt('go'));
    engine.end('failed', 'quota exhausted');
    expect(events.at(-1)).toMatchObject({ type: 'turn', state: 'failed', error: 'quota exhausted' });
    expect(session.state).toBe('failed');
  });

  test('an engine that cannot take prompts refuses them with its own reason', () => {
    const { engine, session } = openHub();
    engine.refusal = 'not logged in';
    expect(() => session.submit(prompt('go'))).toThrow(
      expect.objectContaining({ code: 'not-ready', message: 'not logged in' }),
    );
  });

  test.each(['', '   \n', '\u001b[2J', '\u202e\u200b'])('a prompt without visible text (%j) is refused', (text) => {
    const { session } = openHub();
    expect(() => session.submit(prompt(text))).toThrow(expect.objectContaining({ code: 'bad-request' }));
  });

  test('a dangerous command is refused with the reason', () => {
    const { session } = openHub();
    const quit = { kind: 'command', text: '/quit', origin: alice } as const;
    expect(() => session.submit(quit)).toThrow('/quit cannot be run from here: it ends the program');
    expect(session.submit({ ...quit, text: '/stats' }).position).toBe(0);
  });
});

describe('cancel', () => {
  test('stops the running turn; the next one starts when it has ended', () => {
    const { engine, session, events } = openHub();
    session.submit(prompt('one'));
    session.submit(prompt('two'));
    session.cancel(bob);
    expect([engine.cancels, engine.started.length]).toEqual([1, 1]);
    engine.end('canceled');
    expect(states(events)).toEqual(['working', 'canceled', 'working']);
    expect(engine.started).toHaveLength(2);
  });

  test('takes a queued turn back by its id', () => {
    const { engine, session, events } = openHub();
    session.submit(prompt('one'));
    const { turnId } = session.submit(prompt('two'));
    session.cancel(alice, turnId);
    engine.end();
    expect(engine.started).toHaveLength(1);
    expect(events.find((event) => event.type === 'turn' && event.state === 'canceled')).toMatchObject({ turnId });
  });

  test('with nothing to cancel is an error', () => {
    const { session } = openHub();
    expect(() => session.cancel(alice)).toThrow(expect.objectContaining({ code: 'not-cancelable' }));
    expect(() => session.cancel(alice, 'no-such-turn')).toThrow(expect.objectContaining({ code: 'not-cancelable' }));
  });

  test('an open question is answered no for everybody, by whoever cancelled', () => {
    const { engine, session, events } = openHub();
    session.submit(prompt('go'));
    engine.report({ type: 'tool', call: waitingShell() });
    session.cancel(bob);
    engine.report({ type: 'tool', call: { ...waitingShell(), status: 'cancelled' } });
    engine.end('canceled');
    const last = events.filter((event) => event.type === 'tool').at(-1);
    expect(last).toMatchObject({ call: { status: 'cancelled', resolution: { optionId: 'cancel', by: bob } } });
    expect(() => session.answer('call-1', { optionId: 'proceed_once' }, alice)).toThrow(
      expect.objectContaining({ code: 'already-answered' }),
    );
  });
});

test('text from outside is cleaned of escape, control and bidi characters before anyone sees it', () => {
  const { engine, session, events } = openHub();
  session.submit(prompt('safe\u001b]0;evil\u0007 te\u202ext\u001b[31m red\u0000'));
  expect(engine.started[0]?.text).toBe('safe text red');
  expect(events[0]).toMatchObject({ text: 'safe text red' });
});

test('a late joiner learns the state and every open question', () => {
  const { engine, session } = openHub({ model: 'gemini-2.5-flash' });
  session.submit(prompt('go'));
  engine.report({ type: 'tool', call: waitingShell('a') }, { type: 'tool', call: waitingShell('b') });
  expect(session.snapshot).toMatchObject({
    state: 'input-required',
    model: 'gemini-2.5-flash',
    pending: [{ id: 'a' }, { id: 'b' }],
  });
});

test('a listener that throws stops neither the others nor the engine', () => {
  const errors: unknown[] = [];
  const { engine, session, events } = openHub({ onError: (error) => errors.push(error) });
  session.subscribe(() => {
    throw new Error('broken surface');
  });
  session.submit(prompt('go'));
  engine.end();
  expect(events).toHaveLength(3);
  expect(errors).toHaveLength(3);
});
