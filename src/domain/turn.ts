import type { SessionEvent, TurnState, WhenDone } from './events.js';
import { defined } from '../util/defined.js';

/** A turn in short: how it stands, and where it is among the events of its session. */
export type Turn = {
  readonly id: string;
  /** As its events say it: what is done is `completed`, whatever A2A clients are shown. */
  readonly state: TurnState;
  /** When it last changed its state. */
  readonly at: string;
  /** What the client that started it calls the session, if not by its id. */
  readonly contextId?: string;
  /** The number of its first event. */
  readonly first: number;
  /** The number of the last event that asked for it or changed its state; other events of it may follow. */
  readonly last: number;
};

/** What an event says about a turn as a whole; undefined for what happens inside of one. */
export function turnNews(event: SessionEvent): Turn | undefined {
  const { turnId: id, seq, at } = event;
  if (id === undefined) return undefined;
  if (event.type === 'turn') return { id, state: event.state, at, first: seq, last: seq };
  if (event.type !== 'prompt') return undefined;
  const { contextId } = event;
  return { id, state: 'submitted', at, ...defined({ contextId }), first: seq, last: seq };
}

/** The turn with the news. The same news again, or news that it knows already, change nothing. */
export function mergedTurn(known: Turn | undefined, news: Turn | undefined): Turn | undefined {
  if (!known || !news) return known ?? news;
  const [older, newer] = known.first <= news.first ? [known, news] : [news, known];
  const { state, at, last } = older.last > newer.last ? older : newer;
  return { ...older, state, at, last };
}

/** The state of a turn as A2A clients are told it: done may mean that it waits for the next message. */
export function toldState(state: TurnState, whenDone: WhenDone): TurnState {
  return state === 'completed' ? whenDone : state;
}
