import type { Settable } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import type { EventBody, Origin, TurnEnd } from '../domain/events.js';
import type { Answer, ToolCall } from '../domain/tool-call.js';

/** What the hub needs from an agent. Live, headless and ACP engines implement it, tests script their own. */
export type Engine = {
  /** Called once, before anything else: where the engine reports to. */
  connect(host: EngineHost): void;
  /** The model of its first turn, where it is known before the engine reports its settings. */
  readonly model?: string | undefined;
  /** Whether a turn could start now. When this becomes true the engine reports `ready`. */
  readonly isReady: boolean;
  /** Why a prompt cannot even be queued, in a sentence for the user; undefined when it can. */
  readonly refusal?: string | undefined;
  /** A turn waits and the engine is not ready: it may make itself ready, now or later. */
  wake?(): void;
  /** Goes on with the turn that a restart interrupted. False when it cannot. */
  resume?(turn: InterruptedTurn): boolean;
  /** Starts a turn. The hub calls it only when `isReady`, and reports the turn's start itself. */
  start(request: TurnRequest, turnId: string): void;
  /** Hands the one answer that won to the call that waits for it. */
  answer(callId: string, answer: Answer): void;
  /** Stops the running turn; it still ends with `ended`. */
  cancel(): void;
  /** Model and approval mode; absent where clients cannot change them. */
  readonly settings?: Settable;
  /** Slash commands that clients may run. */
  commands(): readonly Command[];
  /** Why a client may not run this command line (without its slash); undefined when it may. */
  refusalOfCommand(line: string): string | undefined;
};

export type TurnRequest = {
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly origin: Origin;
  /** The id the client gave its message: the same id twice is one request. */
  readonly messageId?: string;
  /** What the client calls the session, where that is not the session's id. */
  readonly contextId?: string;
  /** The client speaks the development-tool extension. */
  readonly isExtended?: true;
  /** A paused turn that this message continues. */
  readonly turnId?: string;
};

/** A turn with its tool calls as everybody last saw them. */
export type InterruptedTurn = { readonly id: string; readonly calls: readonly ToolCall[] };

/** What an engine reports. The hub turns it into numbered events. */
export type EngineEvent =
  | EngineOutput
  /** A turn the hub did not start, such as one typed in the terminal. */
  | { readonly type: 'started'; readonly text: string; readonly origin: Origin }
  /** `input-required`: the turn pauses until a message continues it. */
  | { readonly type: 'ended'; readonly state: TurnEnd | 'input-required'; readonly error?: string }
  | { readonly type: 'ready' };

type EngineOutput = Exclude<EventBody, { type: 'prompt' | 'turn' | 'cancel' }>;

export type EngineHost = {
  report(event: EngineEvent): void;
  /**
   * The engine's own terminal wants to answer. True: it was first and the engine may go on;
   * false: somebody else was faster and the engine must ignore the answer.
   */
  claimAnswer(callId: string, optionId: string): boolean;
  /** Resolves when a crash can undo nothing of what was reported. What may happen only once begins after it. */
  stored(): Promise<void>;
};
