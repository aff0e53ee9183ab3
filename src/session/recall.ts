import {
  type Agent,
  type EventBody,
  isTurnEnd,
  type Origin,
  type SessionEvent,
  type ShownEnd,
  type TurnState,
} from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import { sessionTitle } from '../domain/short-text.js';
import { addUsage, noUsage, type TotalUsage } from '../domain/total-usage.js';
import { mergedTurn, type Shown, shownWith, type Turn, turnNews } from '../domain/turn.js';
import { RecentMap } from '../util/recent-map.js';
import { type AnsweredCall, AnsweredCalls } from './calls/answered-calls.js';
import { keepCall } from './calls/call-book.js';
import type { QueuedTurn } from './prompt-queue.js';
import { SentMessages } from './calls/sent-messages.js';
import { defined } from '../util/defined.js';

/** How many turns that wait for another message are remembered. */
export const pausedTurns = 1000;
/** How many turns with news are kept: some ten megabytes, and more than anyone looks up by id. */
const turnsWithNews = 100_000;

export type PromptEvent = SessionEvent & { readonly type: 'prompt' };
export type TurnEvent = SessionEvent & { readonly type: 'turn' };
export type ToolEvent = SessionEvent & { readonly type: 'tool' };
type Settings = Omit<EventBody & { readonly type: 'settings' }, 'type'>;

/** What a session was doing at its last event. */
export type Recalled = {
  readonly lastState: TurnState;
  /** The turn that had started but not ended. */
  readonly running: RunningTurn | undefined;
  /** Its tool calls, as last published. */
  readonly calls: readonly ToolCall[];
  /** Answered calls from any turn, oldest first. */
  readonly answered: readonly AnsweredCall[];
  readonly queued: readonly QueuedTurn[];
  readonly paused: readonly string[];
};

type RunningTurn = { readonly id: string; readonly state: TurnState; readonly canceledBy?: Origin };

/** Everything that `Recall` knows: a few events, and what the others add up to. */
export type RecallState = {
  /** The seq of the newest event included. */
  seq: number;
  settings: Settings | undefined;
  /** The first prompt, cut to a line. */
  title: string | undefined;
  usage: TotalUsage;
  lastState: TurnState;
  running: RunningTurn | undefined;
  /** The running turn's prompt, and its latest state. */
  prompt: PromptEvent | undefined;
  turn: TurnEvent | undefined;
  readonly calls: Map<string, ToolEvent>;
  readonly queued: Map<string, PromptEvent>;
  readonly paused: RecentMap<string, true>;
  readonly answered: AnsweredCalls;
  /** By the message ids that clients chose. */
  readonly messages: SentMessages;
};

export function nothingRecalled(): RecallState {
  return {
    seq: 0,
    settings: undefined,
    title: undefined,
    usage: noUsage,
    lastState: 'submitted',
    running: undefined,
    prompt: undefined,
    turn: undefined,
    calls: new Map(),
    queued: new Map(),
    paused: new RecentMap(pausedTurns),
    answered: new AnsweredCalls(),
    messages: new SentMessages(),
  };
}

/** Derives the state that a restart needs from all events of a session, one by one. It keeps only a few of them. */
export class Recall {
  readonly turnEnd: ShownEnd;
  readonly shown: Shown;
  readonly #state: RecallState;
  readonly #news = new RecentMap<string, Turn>(turnsWithNews);
  #behind = 0;

  constructor(turnEnd: ShownEnd = 'completed', state = nothingRecalled()) {
    this.turnEnd = turnEnd;
    this.shown = shownWith(turnEnd);
    this.#state = state;
  }

  get state(): Readonly<RecallState> {
    return this.#state;
  }

  get result(): Recalled {
    const { lastState, running, calls, answered, queued, paused } = this.#state;
    return {
      lastState,
      running,
      calls: [...calls.values()].map(({ call }) => call),
      answered: answered.all,
      queued: [...queued.values()].map((event) => ({ turnId: event.turnId ?? '', request: requestOf(event) })),
      paused: [...paused.keys()],
    };
  }

  get agent(): Agent | undefined {
    if (!this.#state.settings) return undefined;
    const { model, userTier } = this.#state.settings;
    return { model, ...defined({ userTier }) };
  }

  /** The events behind the current state, oldest first: the running turn with its tool calls, and the queued prompts. */
  get going(): readonly SessionEvent[] {
    const { prompt, turn, queued, calls } = this.#state;
    const events = [prompt, turn, ...queued.values(), ...calls.values()].flatMap((event) => event ?? []);
    return events.toSorted((a, b) => a.seq - b.seq);
  }

  /** Events since the last summary. */
  get behind(): number {
    return this.#behind;
  }

  /** What those events changed about each turn. */
  get news(): readonly Turn[] {
    return [...this.#news.values()];
  }

  newsOf(turnId: string): Turn | undefined {
    return this.#news.get(turnId);
  }

  /** Starts over: a summary covers everything so far. */
  summarised(): void {
    this.#behind = 0;
    this.#news.clear();
  }

  add(event: SessionEvent): void {
    const state = this.#state;
    state.seq = event.seq;
    this.#behind++;
    if (event.type === 'settings') {
      const { model, approvalMode, userTier } = event;
      state.settings = {
        model,
        ...defined({ approvalMode, userTier }),
      };
    }
    if (event.type === 'usage') state.usage = addUsage(state.usage, event.usage);
    if (event.type === 'prompt') state.title ??= sessionTitle(event.text);
    const { turnId } = event;
    if (turnId === undefined) return;
    const news = turnNews(event);
    if (news) this.#news.set(turnId, mergedTurn(this.#news.get(turnId), news) ?? news);
    if (event.type === 'tool') {
      keepCall(state.calls, ({ call }) => call, event);
      state.answered.note(event);
    }
    if (event.type === 'cancel' && state.running?.id === turnId)
      state.running = { ...state.running, canceledBy: event.by };
    if (event.type === 'prompt') {
      state.paused.delete(turnId);
      state.messages.add(event.messageId, { text: event.text, turnId });
      // It waits until an event says that its turn has started, whatever its reported position.
      state.queued.set(turnId, event);
    }
    if (event.type === 'turn') this.#onTurn(turnId, event);
  }

  #onTurn(turnId: string, event: TurnEvent): void {
    const state = this.#state;
    const prompt = state.queued.get(turnId);
    const wasResting = state.queued.delete(turnId) || state.paused.delete(turnId);
    if (!isTurnEnd(event.state)) {
      // A question is published before its turn waits for it. Without a question, the turn waits for a message.
      const isPaused = event.state === 'input-required' && !isAsked(state.calls);
      const running = state.running?.id === turnId ? state.running : { id: turnId };
      state.running = isPaused ? undefined : { ...running, state: event.state };
      state.prompt = prompt ?? state.prompt;
      state.turn = event;
      if (isPaused) {
        state.paused.set(turnId, true);
        state.lastState = event.state;
      }
    } else if (state.running?.id === turnId || (!state.running && !wasResting)) {
      state.running = undefined;
      state.lastState = event.state;
      if (this.shown(event.state) === 'input-required') state.paused.set(turnId, true);
    }
    if (!state.running) this.#nothingRuns();
  }

  #nothingRuns(): void {
    this.#state.prompt = undefined;
    this.#state.turn = undefined;
    this.#state.calls.clear();
  }
}

function isAsked(calls: ReadonlyMap<string, ToolEvent>): boolean {
  return [...calls.values()].some(({ call }) => call.status === 'waiting');
}

function requestOf(event: PromptEvent): QueuedTurn['request'] {
  const { text, origin, messageId, contextId, isExtended, isCommand } = event;
  return {
    kind: isCommand ? 'command' : 'prompt',
    text,
    origin,
    ...defined({ messageId, contextId, isExtended }),
  };
}
