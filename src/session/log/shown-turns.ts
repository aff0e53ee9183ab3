import { turnStates } from '../../domain/events.js';
import type { Shown } from '../../domain/turn.js';
import type { EventStore, TurnPage, TurnQuery } from '../../stores/store.js';

/** The turns of a store with the states that clients see, in the query too. */
export async function shownTurns(
  store: Pick<EventStore, 'turns'>,
  { states, ...query }: TurnQuery,
  shown: Shown,
): Promise<TurnPage> {
  const asked = states && turnStates.filter((state) => states.includes(shown(state)));
  const page = await store.turns(asked === undefined ? query : { ...query, states: asked });
  return { ...page, turns: page.turns.map((turn) => ({ ...turn, state: shown(turn.state) })) };
}
