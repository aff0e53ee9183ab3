import type { ShownEnd } from '../domain/events.js';
import { mergedTurn } from '../domain/turn.js';
import type { Store, StoredTask } from '../stores/store.js';
import { cutEvent } from '../session/log/cut-event.js';
import { recallEvents } from '../session/load-events.js';
import type { SessionPort } from '../session/session-port.js';
import { recalledSnapshot } from '../session/snapshot.js';
import { turnEvents } from '../session/log/turn-events.js';

/** The part of a session that can be read wherever it runs. Nothing here changes it. */
export type SessionView = Pick<
  SessionPort,
  | 'id'
  | 'owner'
  | 'createdAt'
  | 'shown'
  | 'agent'
  | 'state'
  | 'snapshot'
  | 'queued'
  | 'history'
  | 'observe'
  | 'stored'
  | 'oldestSeq'
  | 'turn'
  | 'storedEventsOf'
  | 'happenedAfter'
>;

/** A session as it is in the store now, without taking it from the server that runs it. */
export async function readSession(store: Store, record: StoredTask, turnEnd?: ShownEnd): Promise<SessionView> {
  const { id, model, workspace } = record;
  const recall = await recallEvents(store, id, turnEnd);
  const { agent = { model } } = recall;
  const snapshot = recalledSnapshot(recall, { model: agent.model, workspace });
  const { seq } = recall.state;
  const turn: SessionView['turn'] = async (turnId) => mergedTurn(await store.turn(id, turnId), recall.newsOf(turnId));
  return {
    id,
    owner: record.owner,
    createdAt: record.createdAt,
    shown: recall.shown,
    agent,
    state: snapshot.state,
    snapshot,
    queued: snapshot.queue.length,
    history: async (limit, after?: number) =>
      (await store.read(id, after ?? Math.max(0, seq - limit), limit)).map(cutEvent),
    oldestSeq: seq + 1,
    observe: () => () => {},
    stored: () => Promise.resolve(),
    turn,
    async *storedEventsOf(turnId) {
      const found = await turn(turnId);
      if (found) yield* turnEvents(store, id, found);
    },
    happenedAfter: () => [],
  };
}
