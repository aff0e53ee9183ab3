import type { WhenDone } from '../domain/events.js';
import type { ToolCall, WaitingCall } from '../domain/tool-call.js';
import type { Store, StoredTask } from '../stores/store.js';
import { cutEvent } from './cut-event.js';
import { loadEvents } from './load-events.js';
import type { Session } from './session.js';
import { turnEvents } from './turn-events.js';

/** What can be read of a session, wherever it runs: nothing of it changes anything. */
export type SessionView = Pick<
  Session,
  | 'id'
  | 'owner'
  | 'turnEnd'
  | 'agent'
  | 'state'
  | 'snapshot'
  | 'queued'
  | 'history'
  | 'observe'
  | 'stored'
  | 'firstSeqOf'
  | 'storedEventsOf'
  | 'happenedAfter'
>;

/** A session as the store has it now, without taking it from the server that runs it. */
export async function readSession(store: Store, record: StoredTask, turnEnd: WhenDone): Promise<SessionView> {
  const { id, model } = record;
  const { events, recalled } = await loadEvents(store, id, turnEnd);
  const { agent = { model }, lastState, running, calls, queued, turns } = recalled;
  const state = running?.state ?? lastState;
  const seq = events.at(-1)?.seq ?? 0;
  return {
    id,
    owner: record.owner,
    turnEnd,
    agent,
    state,
    snapshot: { state, pending: calls.filter(isWaiting), model: agent.model, seq },
    queued: queued.length,
    history: async (limit, after?: number) =>
      (await store.read(id, after ?? Math.max(0, seq - limit), limit)).map(cutEvent),
    observe(observer) {
      for (const event of events) observer(event, event);
      return () => {};
    },
    stored: () => Promise.resolve(),
    firstSeqOf: (turnId) => turns.rangeOf(turnId)?.first,
    storedEventsOf: (turnId) => turnEvents({ store, sessionId: id, turns, turnId }),
    happenedAfter: () => [],
  };
}

function isWaiting(call: ToolCall): call is WaitingCall {
  return call.status === 'waiting';
}
