import type { Events, Notices } from '../dialects/endpoint/events.js';
import type { History } from './history.js';

/**
 * The events of the endpoint (docs/websocket-api.md). A newer server may send other kinds:
 * end a `switch` over `kind` with a default that ignores them.
 */
export type WireEvent = LoggedEvent | SnapshotEvent | ClientsEvent | ResyncEvent;

/** Numbered events, which are part of the session's history. */
export type LoggedEvent = Events[keyof Events];

export type UserMessageEvent = Events['USER_MESSAGE'];
export type StateChangeEvent = Events['STATE_CHANGE'];
export type ToolCallEvent = Events['TOOL_CALL_UPDATE'];

/** The state of the session; `seq` is the last event it includes. */
export type SnapshotEvent = Notices['SNAPSHOT'] & {
  /** What was said until then, if `connect` was asked for it. */
  readonly history?: History;
};

/** Somebody joined or left. */
export type ClientsEvent = Notices['CLIENTS'];

/** The server no longer has the missed events; a snapshot follows. */
export type ResyncEvent = Notices['RESYNC_REQUIRED'];

/** Whether it is part of the session's history. */
export function isLogged(event: WireEvent): event is LoggedEvent {
  return event.kind !== 'SNAPSHOT' && event.kind !== 'CLIENTS' && event.kind !== 'RESYNC_REQUIRED';
}
