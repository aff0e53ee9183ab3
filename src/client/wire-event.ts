import type { Artifact, LogLevel, Origin, TurnState, Usage } from '../domain/events.js';
import type { OpenQuestion, WireToolCall } from './wire-tool-call.js';

/** What every event of the log carries; `turnId` is absent for what happens between turns. */
type Stamp = { readonly taskId: string; readonly seq: number; readonly turnId?: string };
type Text = { readonly content: { readonly text: string } };

/**
 * The events of the endpoint (docs/websocket-api.md). A newer server may send kinds that are not here:
 * end a `switch` over `kind` with a default that ignores them.
 */
export type WireEvent = LoggedEvent | SnapshotEvent | ResyncEvent;

/** Events that are numbered and belong to the story of the session. */
export type LoggedEvent =
  | UserMessageEvent
  | StateChangeEvent
  | ToolCallEvent
  | (Stamp & { readonly kind: 'TEXT_CONTENT' } & Text)
  | (Stamp & {
      readonly kind: 'THOUGHT';
      readonly content: { readonly subject: string; readonly description: string };
    })
  | (Stamp & { readonly kind: 'CITATION' } & Text)
  | (Stamp & { readonly kind: 'USAGE'; readonly usage: Usage })
  | (Stamp & { readonly kind: 'SETTINGS'; readonly model: string; readonly approvalMode?: string })
  | (Stamp & { readonly kind: 'CONSOLE_LOG'; readonly level: LogLevel } & Text)
  | (Stamp & { readonly kind: 'ERROR'; readonly message: string })
  | (Stamp & {
      readonly kind: 'ARTIFACT';
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
    });

export type UserMessageEvent = Stamp & {
  readonly kind: 'USER_MESSAGE';
  readonly origin: Origin;
  readonly messageId?: string;
  /** Its place while it waits; the event comes again without it when the turn starts. */
  readonly queued?: number;
} & Text;

export type StateChangeEvent = Stamp & {
  readonly kind: 'STATE_CHANGE';
  readonly state: TurnState;
  /** The turn is over. */
  readonly final?: true;
  readonly error?: string;
};

export type ToolCallEvent = Stamp & { readonly kind: 'TOOL_CALL_UPDATE' } & WireToolCall;

/** Where the session stands; `seq` is the last event that is part of it. */
export type SnapshotEvent = {
  readonly kind: 'SNAPSHOT';
  readonly taskId: string;
  readonly seq: number;
  readonly state: TurnState;
  readonly model: string;
  readonly pending: readonly OpenQuestion[];
};

/** The server no longer has what was missed; a snapshot follows. */
export type ResyncEvent = { readonly kind: 'RESYNC_REQUIRED'; readonly taskId: string; readonly oldest: number };
