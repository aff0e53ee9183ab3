import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Choices } from '../../domain/choices.js';
import type { Command } from '../../domain/command.js';
import type { SessionEvent } from '../../domain/events.js';
import type { ToolCall, WaitingCall } from '../../domain/tool-call.js';
import type { Scene } from './scene.js';

/** How one version of ACP represents a session. */
export type AcpDialect = {
  /** Whether a client's own prompts are sent back to it. */
  readonly echoesPrompts: boolean;
  /** One event for one client, as the `update`s of `session/update`. */
  toUpdates(event: SessionEvent, view: View): object[];
  /** Sent first to a client that joins. */
  toOpening(arrival: Arrival): object[];
  /** Sent to a client when its session continues on another server, or not at all. */
  toFarewell(why: string, scene: Scene): object[];
  /** `session/request_permission`, for the call or for a question that the call asks. */
  toPermissionRequest(sessionId: string, call: WaitingCall, question?: AskedQuestion): object;
};

/** What a client can show, from its capabilities. */
export type AcpReader = {
  readonly hasTerminal: boolean;
  readonly hasNotices: boolean;
};

/** How one event looks to one client. */
export type View = AcpReader & {
  /** The available settings of the session. */
  readonly choices: Choices;
  /** The model that replies. */
  readonly model: string;
  /** The event is this client's own prompt, which it has already shown. */
  readonly isOwn: boolean;
  /** This tool call was sent to the client before. */
  readonly knowsCall: boolean;
  /** What the tool call had printed before this event. */
  readonly printed: string;
  /** The status of the tool call before this event. */
  readonly statusBefore: ToolCall['status'] | undefined;
  /** The scene after this event. */
  readonly scene: Scene;
};

export type Arrival = {
  readonly commands: readonly Command[];
  readonly scene: Scene;
  /** The client asked for a new session: it has no history, and must not mistake the idle state for the end of its turn. */
  readonly isNew: boolean;
};

export type AskedQuestion = { readonly title: string; readonly options: PermissionOption[] };
