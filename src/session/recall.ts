import {
  type Agent,
  isTurnEnd,
  type Origin,
  type SessionEvent,
  type TurnState,
  type WhenDone,
} from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import { keepCall } from './call-book.js';
import type { QueuedTurn } from './prompt-queue.js';
import type { Sent } from './sent-messages.js';

/** What a session was about when its events end. */
export type Recalled = {
  readonly agent: Agent | undefined;
  readonly lastState: TurnState;
  /** A turn that had begun and not ended. */
  readonly running: { readonly id: string; readonly state: TurnState; readonly canceledBy?: Origin } | undefined;
  /** Its tool calls, as last told. */
  readonly calls: readonly ToolCall[];
  /** Calls that were answered, in any turn; the last ones are the newest. */
  readonly answered: readonly ToolCall[];
  readonly queued: readonly QueuedTurn[];
  readonly paused: readonly string[];
  /** By the id that the client gave it. */
  readonly messages: ReadonlyMap<string, Sent>;
};

/** Reads the state of a session off its events: what a restart needs. `whenDone`: what a turn that is done waits for. */
export function recall(events: readonly SessionEvent[], whenDone: WhenDone): Recalled {
  const queued = new Map<string, QueuedTurn>();
  const calls = new Map<string, ToolCall>();
  const answered = new Map<string, ToolCall>();
  const messages = new Map<string, Sent>();
  const paused = new Set<string>();
  let agent: Agent | undefined;
  let lastState: TurnState = 'submitted';
  let running: Recalled['running'];

  for (const event of events) {
    if (event.type === 'settings')
      agent = { model: event.model, ...(event.userTier === undefined ? {} : { userTier: event.userTier }) };
    const { turnId } = event;
    if (turnId === undefined) continue;
    if (event.type === 'tool') {
      keepCall(calls, event.call);
      if (event.call.resolution) answered.set(event.call.id, event.call);
    }
    if (event.type === 'cancel' && running?.id === turnId) running = { ...running, canceledBy: event.by };
    if (event.type === 'prompt') {
      paused.delete(turnId);
      if (event.messageId !== undefined) messages.set(event.messageId, { text: event.text, turnId });
      // Until its turn is said to have begun it waits, whatever was said of its place.
      queued.set(turnId, { turnId, request: requestOf(event) });
    }
    if (event.type !== 'turn') continue;
    const { state } = event;
    const wasResting = queued.delete(turnId) || paused.delete(turnId);
    if (!isTurnEnd(state)) {
      // A question is told before the turn is said to wait for it: without one the turn waits for a message.
      const isPaused = state === 'input-required' && !isAsked(calls);
      running = isPaused ? undefined : { ...(running?.id === turnId ? running : { id: turnId }), state };
      if (isPaused) {
        paused.add(turnId);
        lastState = state;
      }
    } else if (running?.id === turnId || (!running && !wasResting)) {
      running = undefined;
      lastState = state;
      if (state === 'completed' && whenDone === 'input-required') paused.add(turnId);
    }
    if (!running) calls.clear();
  }
  return {
    agent,
    lastState,
    running,
    calls: [...calls.values()],
    answered: [...answered.values()],
    queued: [...queued.values()],
    paused: [...paused],
    messages,
  };
}

function isAsked(calls: ReadonlyMap<string, ToolCall>): boolean {
  return [...calls.values()].some((call) => call.status === 'waiting');
}

function requestOf(event: SessionEvent & { type: 'prompt' }): QueuedTurn['request'] {
  const { text, origin, messageId, contextId, isExtended, isCommand } = event;
  return {
    kind: isCommand ? 'command' : 'prompt',
    text,
    origin,
    ...(messageId === undefined ? {} : { messageId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(isExtended === undefined ? {} : { isExtended }),
  };
}
