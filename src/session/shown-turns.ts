import { turnStates, type WhenDone } from '../domain/events.js';
import { shownState } from '../domain/turn.js';
import type { EventStore, TurnPage, TurnQuery } from '../stores/store.js';

/** The turns of a store with the states that clients see, in the query too. */
export async function shownTurns(
  store: Pick<EventStore, 'turns'>,
  { states, ...query }: TurnQuery,
  whenDone: WhenDone = 'completed',
): Promise<TurnPage> {
  const asked = states && turnStates.filter((state) => states.includes(shownState(state, whenDone)));
  const page = await store.turns(asked === undefined ? query : { ...query, states: asked });
  return { ...page, turns: page.turns.map((turn) => ({ ...turn, state: shownState(turn.state, whenDone) })) };
}
