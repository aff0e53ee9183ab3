import type { Settable } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import type { EventBody, Origin, TurnEnd } from '../domain/events.js';
import type { Answer, ToolCall } from '../domain/tool-call.js';

/** What the hub needs from an agent. The live, headless and ACP engines implement it; tests script their own. */
export type Engine = {
  /** Called once, before anything else, with the host that the engine reports to. */
  connect(host: EngineHost): void;
  /** The model of the first turn, if it is known before the engine reports its settings. */
  readonly model?: string | undefined;
  /** Whether a turn could start now. The engine reports `ready` when this becomes true. */
  readonly isReady: boolean;
  /** Why a prompt cannot even be queued, as a sentence for the user. Undefined if it can. */
  readonly refusal?: string | undefined;
  /** A turn is waiting and the engine is not ready. The engine may become ready, now or later. */
  wake?(): void;
  /** Continues the turn that a restart interrupted. Returns false if it cannot. */
  resume?(turn: InterruptedTurn): boolean;
  /** Starts a turn. The hub calls it only when `isReady`, and reports the start of the turn itself. */
  start(request: TurnRequest, turnId: string): void;
  /** Passes the winning answer to the call that waits for it. */
  answer(callId: string, answer: Answer): void;
  /** Stops the running turn, which still ends with `ended`. */
  cancel(): void;
  /** Model and approval mode. Absent if clients cannot change them. */
  readonly settings?: Settable;
  /** Slash commands that clients may run. */
  commands(): readonly Command[];
  /** Why a client may not run this command line (without its slash). Undefined if it may. */
  refusalOfCommand(line: string): string | undefined;
};

export type TurnRequest = {
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly origin: Origin;
  /** The id that the client gave its message. Two messages with the same id are one request. */
  readonly messageId?: string;
  /** The client's name for the session, if it is not the session's id. */
  readonly contextId?: string;
  /** The client uses the development-tool extension. */
  readonly isExtended?: true;
  /** The paused turn that this message continues. */
  readonly turnId?: string;
};

/** A turn, with its tool calls in their last published state. */
export type InterruptedTurn = { readonly id: string; readonly calls: readonly ToolCall[] };

/** What an engine reports. The hub turns it into numbered events. */
export type EngineEvent =
  | EngineOutput
  /** A turn that the hub did not start, such as one typed in the terminal. */
  | { readonly type: 'started'; readonly text: string; readonly origin: Origin }
  /** `input-required`: the turn pauses until a message continues it. */
  | { readonly type: 'ended'; readonly state: TurnEnd | 'input-required'; readonly error?: string }
  | { readonly type: 'ready' };

type EngineOutput = Exclude<EventBody, { type: 'prompt' | 'turn' | 'cancel' }>;

export type EngineHost = {
  report(event: EngineEvent): void;
  /**
   * The engine's own terminal wants to answer. True: it was first and the engine may continue. False: somebody else was
   * faster and the engine must ignore the answer.
   */
  tryAnswer(callId: string, optionId: string): boolean;
  /** Resolves once a crash cannot undo anything that was reported. Anything that may happen only once starts after it. */
  stored(): Promise<void>;
};
