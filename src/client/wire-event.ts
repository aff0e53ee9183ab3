import type { Events, Notices } from '../dialects/endpoint/events.js';

/**
 * The events of the endpoint (docs/websocket-api.md). A newer server may send kinds that are not here:
 * end a `switch` over `kind` with a default that ignores them.
 */
export type WireEvent = LoggedEvent | SnapshotEvent | ResyncEvent;

/** Events that are numbered and belong to the story of the session. */
export type LoggedEvent = Events[keyof Events];

export type UserMessageEvent = Events['USER_MESSAGE'];
export type StateChangeEvent = Events['STATE_CHANGE'];
export type ToolCallEvent = Events['TOOL_CALL_UPDATE'];

/** Where the session stands; `seq` is the last event that is part of it. */
export type SnapshotEvent = Notices['SNAPSHOT'];

/** The server no longer has what was missed; a snapshot follows. */
export type ResyncEvent = Notices['RESYNC_REQUIRED'];
