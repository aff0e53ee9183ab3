import {
  type Agent,
  isTurnEnd,
  type Origin,
  type SessionEvent,
  type TurnState,
  type WhenDone,
} from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import { RecentMap } from '../util/recent-map.js';
import { keepCall } from './call-book.js';
import type { QueuedTurn } from './prompt-queue.js';
import { SentMessages } from './sent-messages.js';
import { TurnIndex } from './turn-index.js';

/** Turns that wait for another message are remembered up to this number. */
export const pausedTurns = 1000;
/** As many as an approval desk remembers. */
const answeredCalls = 1000;

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
  /** By the ids that clients gave them. */
  readonly messages: SentMessages;
  readonly turns: TurnIndex;
};

/** Reads the state of a session off its events, all of them one by one: what a restart needs. It keeps none of them. */
export class Recall {
  /** What a turn that is done waits for. */
  readonly #whenDone: WhenDone;
  readonly #queued = new Map<string, QueuedTurn>();
  readonly #calls = new Map<string, ToolCall>();
  readonly #answered = new RecentMap<string, ToolCall>(answeredCalls);
  readonly #messages = new SentMessages();
  readonly #turns = new TurnIndex();
  readonly #paused = new RecentMap<string, true>(pausedTurns);
  #agent: Agent | undefined;
  #lastState: TurnState = 'submitted';
  #running: Recalled['running'];

  constructor(whenDone: WhenDone) {
    this.#whenDone = whenDone;
  }

  get result(): Recalled {
    return {
      agent: this.#agent,
      lastState: this.#lastState,
      running: this.#running,
      calls: [...this.#calls.values()],
      answered: [...this.#answered.values()],
      queued: [...this.#queued.values()],
      paused: [...this.#paused.keys()],
      messages: this.#messages,
      turns: this.#turns,
    };
  }

  add(event: SessionEvent): void {
    if (event.type === 'settings')
      this.#agent = { model: event.model, ...(event.userTier === undefined ? {} : { userTier: event.userTier }) };
    const { turnId } = event;
    this.#turns.note(event);
    if (turnId === undefined) return;
    if (event.type === 'tool') {
      keepCall(this.#calls, event.call);
      if (event.call.resolution) this.#answered.set(event.call.id, event.call);
    }
    if (event.type === 'cancel' && this.#running?.id === turnId)
      this.#running = { ...this.#running, canceledBy: event.by };
    if (event.type === 'prompt') {
      this.#paused.delete(turnId);
      this.#messages.add(event.messageId, { text: event.text, turnId });
      // Until its turn is said to have begun it waits, whatever was said of its place.
      this.#queued.set(turnId, { turnId, request: requestOf(event) });
    }
    if (event.type === 'turn') this.#onTurn(turnId, event.state);
  }

  #onTurn(turnId: string, state: TurnState): void {
    const wasResting = this.#queued.delete(turnId) || this.#paused.delete(turnId);
    if (!isTurnEnd(state)) {
      // A question is told before the turn is said to wait for it: without one the turn waits for a message.
      const isPaused = state === 'input-required' && !isAsked(this.#calls);
      const running = this.#running?.id === turnId ? this.#running : { id: turnId };
      this.#running = isPaused ? undefined : { ...running, state };
      if (isPaused) {
        this.#paused.set(turnId, true);
        this.#lastState = state;
      }
    } else if (this.#running?.id === turnId || (!this.#running && !wasResting)) {
      this.#running = undefined;
      this.#lastState = state;
      if (state === 'completed' && this.#whenDone === 'input-required') this.#paused.set(turnId, true);
    }
    if (!this.#running) this.#calls.clear();
  }
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
