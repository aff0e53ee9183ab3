import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Choices } from '../../domain/choices.js';
import type { Command } from '../../domain/command.js';
import type { SessionEvent } from '../../domain/events.js';
import type { ToolCall, WaitingCall } from '../../domain/tool-call.js';
import type { Scene } from './scene.js';

/** A version of ACP: how it says what happens. */
export type AcpDialect = {
  /** A client's own prompts are told to it too. */
  readonly echoesPrompts: boolean;
  /** One event for one client, as the `update`s of `session/update`. */
  toUpdates(event: SessionEvent, view: View): object[];
  /** What a client that joins is told before anything else happens. */
  toOpening(arrival: Arrival): object[];
  /** What a client is told whose session goes on elsewhere, or not at all. */
  toFarewell(why: string, scene: Scene): object[];
  /** `session/request_permission`: about the call, or a question that the call asks. */
  toPermissionRequest(sessionId: string, call: WaitingCall, question?: AskedQuestion): object;
};

/** What a client can show, from its capabilities. */
export type AcpReader = {
  readonly hasTerminal: boolean;
  readonly hasNotices: boolean;
};

/** How one event looks to one client. */
export type View = AcpReader & {
  /** What the session could run with. */
  readonly choices: Choices;
  /** What answers. */
  readonly model: string;
  /** The event is this client's own prompt; it has shown it already. */
  readonly isOwn: boolean;
  /** The client was told of this tool call before. */
  readonly knowsCall: boolean;
  /** What the tool call had printed before this event. */
  readonly printed: string;
  /** What the tool call was before this event. */
  readonly statusBefore: ToolCall['status'] | undefined;
  /** What the event has led to. */
  readonly scene: Scene;
};

export type Arrival = {
  readonly commands: readonly Command[];
  readonly scene: Scene;
  /** It asked for a new session: it knows nothing of a past, and takes nothing for the end of its own work. */
  readonly isNew: boolean;
};

export type AskedQuestion = { readonly title: string; readonly options: PermissionOption[] };
