import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

type History = {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly oldest: number;
  readonly seq: number;
};

async function history(query = ''): Promise<History> {
  const response = await fetch(`${hub.server.url}tasks/session-1/history${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as History;
}

/** What the conversation says, in short. */
const lines = ({ events }: History): unknown[] =>
  events.map(({ kind, content, status, state }) => (content as { text?: string })?.text ?? status ?? state ?? kind);

function turn(words: string): void {
  hub.session.submit({ kind: 'prompt', text: words, origin: { surface: 'tui' } });
  for (const word of ['You ', 'said ', words]) hub.engine.say(word);
  hub.engine.end();
}

test('replies are whole, a call is told once in its last state, and the cursor continues from there', async () => {
  hub.session.submit({ kind: 'prompt', text: 'go', origin: { surface: 'tui' } });
  hub.engine.say('I will ');
  hub.engine.say('look.');
  hub.engine.report({ type: 'tool', call: waitingShell() });
  hub.engine.host.tryAnswer('call-1', 'proceed_once');
  const done = { ...waitingShell(), status: 'succeeded', output: { kind: 'text', text: 'ok' } } as const;
  hub.engine.report({ type: 'tool', call: done });
  hub.engine.say('Done.');
  hub.engine.end();
  const story = await history();
  expect(lines(story)).toEqual(['go', 'I will look.', 'SUCCEEDED', 'Done.', 'completed']);
  expect([story.oldest, story.seq]).toEqual([1, hub.session.seq]);
  for (const event of story.events)
    expect(event).toMatchObject({ taskId: 'session-1', at: expect.any(String) as string });

  const client = await hub.connect(`?after=${story.seq}`);
  turn('more');
  expect(await client.kind('USER_MESSAGE')).toMatchObject({ seq: story.seq + 1 });
});

test('a part has the turns that were asked for, and the part before begins where it ends', async () => {
  for (const words of ['one', 'two', 'three']) turn(words);
  const newest = await history('?turns=1');
  expect(lines(newest)).toEqual(['three', 'You said three', 'completed']);
  const before = await history(`?turns=5&before=${newest.oldest}`);
  expect(lines(before)).toEqual(['one', 'You said one', 'completed', 'two', 'You said two', 'completed']);
  expect([before.oldest, before.seq]).toEqual([1, newest.oldest - 1]);
  expect(await history('?before=1')).toEqual({ events: [], oldest: 1, seq: 0 });
});

test('a prompt that had to wait stands where its turn began', async () => {
  hub.session.submit({ kind: 'prompt', text: 'first', origin: { surface: 'tui' } });
  hub.session.submit({ kind: 'prompt', text: 'second', origin: { surface: 'tui' } });
  expect(lines(await history())).toEqual(['first', 'working', 'second']);
  hub.engine.end();
  expect(lines(await history())).toEqual(['first', 'completed', 'second', 'working']);
});

test('wrong questions are refused', async () => {
  for (const query of ['?turns=0', '?turns=201', '?before=0', '?before=x']) {
    const response = await fetch(`${hub.server.url}tasks/session-1/history${query}`);
    expect([query, response.status]).toEqual([query, 400]);
  }
  expect((await fetch(`${hub.server.url}tasks/unknown/history`)).status).toBe(404);
});
