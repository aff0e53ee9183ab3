import { fc } from './properties.js';
import type { EventBody, SessionEvent } from '../../src/domain/events.js';
import type { ToolCallState } from '../../src/domain/tool-call.js';

/** Something that happens next. What makes no sense at that moment is left out. */
type Move =
  | { readonly move: 'prompt' | 'text' | 'thought' | 'note' | 'between'; readonly text: string }
  | { readonly move: 'call'; readonly call: number; readonly state: ToolCallState }
  | { readonly move: 'end' | 'fail' | 'stop' | 'take back' };

const text = fc.string({ minLength: 1, maxLength: 12 });
const approval = {
  options: [{ id: 'proceed_once', name: 'Allow once' }],
  details: { kind: 'execute', command: 'ls' },
} as const;

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ move: fc.constantFrom('prompt', 'text', 'thought', 'note', 'between'), text }),
  fc.record({ move: fc.constant('text'), text }),
  fc.record({
    move: fc.constant('call'),
    call: fc.integer({ min: 1, max: 3 }),
    state: fc.oneof(
      fc.constant({ status: 'waiting', approval } as const),
      fc.record({ status: fc.constant('executing'), liveOutput: text }),
      fc.record({ status: fc.constant('succeeded'), output: fc.record({ kind: fc.constant('text'), text }) }),
      fc.constant({ status: 'cancelled' } as const),
    ),
  }),
  fc.record({ move: fc.constantFrom('end', 'fail', 'stop', 'take back') }),
);

/** Events as a session makes them: turns one after the other, prompts that wait, calls that change. */
export const anyConversation: fc.Arbitrary<readonly SessionEvent[]> = fc
  .array(move, { minLength: 5, maxLength: 60 })
  .map(play);

function play(moves: readonly Move[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  const queue: { turnId: string; text: string }[] = [];
  let running: string | undefined;
  let turns = 0;
  const emit = (body: EventBody, turnId?: string): void => {
    const seq = events.length + 1;
    const at = new Date(seq * 1000).toISOString();
    events.push({ ...body, seq, at, sessionId: 's', ...(turnId === undefined ? {} : { turnId }) });
  };
  const origin = { surface: 'web', client: 'phone' } as const;
  const begin = (turnId: string, words: string): void => {
    running = turnId;
    emit({ type: 'prompt', text: words, origin }, turnId);
    emit({ type: 'turn', state: 'working' }, turnId);
  };
  const finish = (state: 'completed' | 'failed' | 'canceled'): void => {
    if (running === undefined) return;
    emit({ type: 'turn', state }, running);
    running = undefined;
    const next = queue.shift();
    if (next) begin(next.turnId, next.text);
  };
  for (const next of moves) {
    switch (next.move) {
      case 'prompt': {
        const turnId = `t${++turns}`;
        if (running === undefined) begin(turnId, next.text);
        else emit({ type: 'prompt', text: next.text, origin, queued: queue.push({ turnId, text: next.text }) }, turnId);
        break;
      }
      case 'text':
        if (running !== undefined) emit({ type: 'text', text: next.text }, running);
        break;
      case 'thought':
        if (running !== undefined) emit({ type: 'thought', subject: next.text, description: '' }, running);
        break;
      case 'note':
        if (running !== undefined) emit({ type: 'log', level: 'info', text: next.text }, running);
        break;
      case 'between':
        emit({ type: 'log', level: 'info', text: next.text });
        break;
      case 'call':
        if (running !== undefined) {
          const call = { id: `${running}-${next.call}`, name: 'shell', args: {}, ...next.state };
          emit({ type: 'tool', call }, running);
        }
        break;
      case 'take back': {
        const last = queue.pop();
        if (last) emit({ type: 'turn', state: 'canceled' }, last.turnId);
        break;
      }
      default:
        finish(next.move === 'end' ? 'completed' : next.move === 'fail' ? 'failed' : 'canceled');
    }
  }
  return events;
}
