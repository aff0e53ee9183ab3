import type { ToolCall } from './tool-call.js';

/** Who caused something. The terminal is client no. 0 and has the surface `tui`. */
export type Origin = {
  readonly surface: 'tui' | 'a2a' | 'acp' | 'web' | 'cli' | 'server';
  /** The name a client gave itself, or one we gave it. */
  readonly client?: string;
  /** Who it was, according to its token: `token:<name>` or `oidc:<issuer>:<subject>`. */
  readonly principal?: string;
};

/** `rejected`: the agent refused to start. */
export type TurnEnd = 'completed' | 'failed' | 'canceled' | 'rejected';
export const turnStates = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
export type TurnState = (typeof turnStates)[number];

/** The state that A2A clients see for a finished turn: over, or open for the next message as in upstream's server. */
export type ShownEnd = 'completed' | 'input-required';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Usage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly thoughtTokens?: number;
  readonly totalTokens?: number;
};

/** What answers: sent with every event of the development-tool extension. */
export type Agent = { readonly model: string; readonly userTier?: string };

export type Artifact = { readonly id: string; readonly name: string; readonly parts: readonly ArtifactPart[] };

export type ArtifactPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'file'; readonly name: string; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'link'; readonly name: string; readonly mediaType: string; readonly url: string };

/** What can happen in a session. Adding a member breaks every `switch` that forgot it. */
export type EventBody =
  | {
      readonly type: 'prompt';
      readonly text: string;
      readonly origin: Origin;
      readonly messageId?: string;
      /** What its client calls the session, if that is not the session's id. */
      readonly contextId?: string;
      /** Its client speaks the development-tool extension. */
      readonly isExtended?: true;
      /** A slash command, not a prompt for the model. */
      readonly isCommand?: true;
      /** Its position in the queue while it waits; absent once its turn starts. */
      readonly queued?: number;
    }
  /** `by`: who canceled it before it ran. */
  | { readonly type: 'turn'; readonly state: TurnState; readonly error?: string; readonly by?: Origin }
  /** Someone cancels the running turn. It ends once the engine has stopped, or immediately after a crash. */
  | { readonly type: 'cancel'; readonly by: Origin }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly subject: string; readonly description: string }
  | { readonly type: 'tool'; readonly call: ToolCall }
  | { readonly type: 'citation'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** `by`: the client that asked for the change. */
  | {
      readonly type: 'settings';
      readonly model: string;
      readonly approvalMode?: string;
      readonly userTier?: string;
      readonly by?: Origin;
    }
  | { readonly type: 'log'; readonly level: LogLevel; readonly text: string }
  | { readonly type: 'error'; readonly message: string }
  /** Something the turn produced, whole or as the next chunk of what came before. */
  | { readonly type: 'artifact'; readonly artifact: Artifact; readonly append?: boolean; readonly lastChunk?: boolean }
  /** A direct and complete reply: no work follows. */
  | { readonly type: 'reply'; readonly text: string };

/** A body stamped by the event log: `seq` is 1, 2, 3 … per session without gaps and is the resume cursor. */
export type SessionEvent = EventBody & {
  readonly seq: number;
  readonly at: string;
  readonly sessionId: string;
  /** The turn it belongs to; absent for events between turns. */
  readonly turnId?: string;
};

/** A part of a reply as the model writes it. Many of them make one text. */
export function isPiece({ type }: Pick<SessionEvent, 'type'>): boolean {
  return type === 'text' || type === 'thought';
}

export function isTurnEnd(state: TurnState): state is TurnEnd {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

export function originText({ surface, client }: Origin): string {
  return client === undefined ? surface : `${surface} client ${client}`;
}

export function cancelText(by: Origin): string {
  return `The turn is being canceled by ${originText(by)}.`;
}
