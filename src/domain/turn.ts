import type { SessionEvent, ShownEnd, TurnState } from './events.js';
import { defined } from '../util/defined.js';

/** A turn in brief: its state, and where its events are in the session. */
export type Turn = {
  readonly id: string;
  /** The state in its events: a finished turn is `completed`, whatever A2A clients see. */
  readonly state: TurnState;
  /** When its state last changed. */
  readonly at: string;
  /** What the client that started it calls the session, if that is not the session's id. */
  readonly contextId?: string;
  /** The seq of its first event. */
  readonly first: number;
  /** The seq of its last prompt or state change; other events of the turn may follow. */
  readonly last: number;
};

/** What an event says about a turn as a whole; undefined for events inside a turn. */
export function turnNews(event: SessionEvent): Turn | undefined {
  const { turnId: id, seq, at } = event;
  if (id === undefined) return undefined;
  if (event.type === 'turn') return { id, state: event.state, at, first: seq, last: seq };
  if (event.type !== 'prompt') return undefined;
  const { contextId } = event;
  return { id, state: 'submitted', at, ...defined({ contextId }), first: seq, last: seq };
}

/** Merges news into a turn. News that the turn already includes changes nothing. */
export function mergedTurn(known: Turn | undefined, news: Turn | undefined): Turn | undefined {
  if (!known || !news) return known ?? news;
  const [older, newer] = known.first <= news.first ? [known, news] : [news, known];
  const { state, at, last } = older.last > newer.last ? older : newer;
  return { ...older, state, at, last };
}

/** The state of a turn as A2A clients see it. */
export type Shown = (state: TurnState) => TurnState;

/** The only place that applies `--turn-end`: a completed turn may be waiting for the next message. */
export function shownWith(turnEnd: ShownEnd = 'completed'): Shown {
  return (state) => (state === 'completed' ? turnEnd : state);
}
