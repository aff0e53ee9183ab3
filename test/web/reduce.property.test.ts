import { expect, test } from 'vitest';
import type { LoggedEvent, SnapshotEvent } from '../../src/client/client.js';
import { toEndpoint } from '../../src/dialects/endpoint/to-wire.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { fold } from '../../src/session/folded-history.js';
import { prepend, reduce } from '../../src/web/story/reduce.js';
import { emptyStory, runningTurn, type Story } from '../../src/web/story/story.js';
import { anyConversation } from '../support/any-conversation.js';
import { fc } from '../support/properties.js';

test('events that come twice, and late ones that are known, change nothing', () => {
  fc.assert(
    fc.property(anyConversation, fc.array(fc.nat(), { maxLength: 20 }), (conversation, again) => {
      const events = conversation.map(toEndpoint);
      const twice = events.flatMap((event, index) => [
        event,
        ...again.map((back) => events[index - (back % 5)] ?? event),
      ]);
      expect(told(twice)).toEqual(told(events));
    }),
  );
});

test('it does not matter in which pieces a text comes', () => {
  fc.assert(
    fc.property(anyConversation, fc.integer({ min: 1, max: 5 }), (conversation, length) => {
      const pieces = conversation.flatMap((event): SessionEvent[] => {
        if (event.type !== 'text') return [event];
        const parts = Array.from({ length: Math.ceil(event.text.length / length) }, (_, index) => index * length);
        return parts.map((at) => ({ ...event, text: event.text.slice(at, at + length) }));
      });
      expect(shape(told(numbered(pieces).map(toEndpoint)))).toEqual(shape(told(conversation.map(toEndpoint))));
    }),
  );
});

test('who joins late sees the same as who was there from the start', () => {
  fc.assert(
    fc.property(anyConversation, fc.nat(), (conversation, given) => {
      const cut = given % (conversation.length + 1);
      const events = conversation.map(toEndpoint);
      const joined = told(events.slice(cut), reduce(emptyStory, snapshotAt(conversation.slice(0, cut))));
      expect(shape(joined)).toEqual(shape(told(events)));
    }),
  );
});

test('turns that are loaded later stand before the others, as if they had been there', () => {
  fc.assert(
    fc.property(anyConversation, fc.nat(), (conversation, given) => {
      // A part of the history begins with the prompt of a turn.
      const starts = conversation.filter((event) => event.type === 'prompt' && event.queued === undefined);
      const cut = (starts[given % starts.length]?.seq ?? 1) - 1;
      const [older, newer] = [conversation.slice(0, cut), conversation.slice(cut)];
      const story = told(newer.map(toEndpoint));
      const whole = prepend(story, { events: fold(older).map(toEndpoint), oldest: 1, seq: cut });
      expect(shape(whole).turns).toEqual(shape(told(conversation.map(toEndpoint))).turns);
    }),
  );
});

function told(events: readonly LoggedEvent[], start: Story = emptyStory): Story {
  return events.reduce(reduce, start);
}

function snapshotAt(conversation: readonly SessionEvent[]): SnapshotEvent {
  const story = told(conversation.map(toEndpoint));
  const seq = conversation.length;
  return {
    kind: 'SNAPSHOT',
    queue: [],
    usage: { calls: 0 },
    clients: [],
    taskId: 's',
    seq,
    state: runningTurn(story) ? 'working' : 'completed',
    model: '',
    pending: story.pending,
    history: { events: fold(conversation).map(toEndpoint), oldest: 1, seq },
  };
}

function numbered(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1 }));
}

/** Without numbers and times: those of folded events are others. */
function shape({ turns, pending }: Story): { turns: unknown[]; pending: unknown[] } {
  const timeless = (call: object): object => ({ ...call, seq: 0, at: '' });
  return {
    pending: pending.map(timeless),
    turns: turns.map(({ id, prompt, blocks, ...turn }) => ({
      ...turn,
      seq: 0,
      id: id.replace(/^between-.*/, 'between'),
      prompt: prompt && { ...prompt, at: '' },
      blocks: blocks.map((block) =>
        block.kind === 'tool' ? { kind: block.kind, call: timeless(block.call) } : { ...block, id: 0 },
      ),
    })),
  };
}
