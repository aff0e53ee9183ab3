import { expect, test } from 'vitest';
import type { EventBody, SessionEvent } from '../../src/domain/events.js';
import type { AcpDialect, AcpReader } from '../../src/dialects/acp/dialect.js';
import { v1 } from '../../src/dialects/acp-v1/v1.js';
import { v2 } from '../../src/dialects/acp-v2/v2.js';
import { Narrator } from '../../src/server/acp/narrator.js';
import { openHub } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';

const reader: AcpReader = { hasTerminal: false, hasNotices: true };
const events: EventBody[] = [
  { type: 'prompt', text: 'hello', origin: { surface: 'acp' }, messageId: 'of the first' },
  { type: 'turn', state: 'working' },
  { type: 'text', text: 'hi' },
  { type: 'tool', call: waitingShell() },
];

/** What each event is to a client that has sent the prompt and to one that has not. */
function tell(dialect: AcpDialect) {
  const narrator = new Narrator(openHub().session, dialect);
  return events.map((body, index) => {
    const event: SessionEvent = { ...body, seq: index + 1, at: '', sessionId: 's', turnId: 'turn' };
    const told = [true, false].map((isOwn) =>
      narrator.tell(event, { reader, knownCalls: new Set(), isOwnPrompt: () => isOwn }),
    );
    return { isShared: told[0] === told[1], told };
  });
}

test('what two clients see alike is made once for both, in each version', () => {
  expect(tell(v1).map(({ isShared }) => isShared)).toEqual([false, true, true, true]);
  expect(tell(v2).map(({ isShared }) => isShared)).toEqual([true, true, true, true]);
});

test('and its frame too', () => {
  const [mine, theirs] = tell(v2)[2]?.told ?? [];
  expect(mine?.[0]?.frame).toBe(theirs?.[0]?.frame);
  expect(mine?.[0]?.frame.toString()).toContain('"agent_message_chunk"');
});
