import type { Origin } from './events.js';

/** One tool call as every surface sees it. The whole object is sent on every change (RFC 3.2). */
export type ToolCall = {
  /** The engine's call id: the same in every update, and unique in the session. */
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The engine's id of its question about this call; a new question has a new id. */
  readonly correlationId?: string;
  /** The call that started this one, when an agent runs as a tool. */
  readonly parentId?: string;
  /** Who answered the question, and how. */
  readonly resolution?: Resolution;
} & ToolCallState;

export type ToolCallState =
  /** It needs no permission and has not started. */
  | { readonly status: 'pending' }
  | { readonly status: 'waiting'; readonly approval: Approval }
  | { readonly status: 'executing'; readonly liveOutput?: string }
  | { readonly status: 'succeeded'; readonly output: ToolOutput }
  | { readonly status: 'failed'; readonly error: ToolError }
  | { readonly status: 'cancelled'; readonly reason?: string };

export type ToolError = { readonly message: string; readonly type?: string; readonly statusCode?: number };

export type WaitingCall = Extract<ToolCall, { status: 'waiting' }>;

export type ToolOutput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'diff'; readonly diff: FileDiff }
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> };

export type FileDiff = {
  readonly fileName: string;
  readonly filePath: string;
  /** Absent when the file is new. */
  readonly oldContent?: string;
  readonly newContent: string;
  readonly formatted?: string;
};

export type Approval = {
  readonly options: readonly ApprovalOption[];
  /** Ids of options that mean no, besides `cancel`. */
  readonly refusals?: readonly string[];
  readonly details: ApprovalDetails;
};

export type ApprovalOption = { readonly id: string; readonly name: string; readonly description?: string };

export type ApprovalDetails =
  | { readonly kind: 'execute'; readonly command: string; readonly workingDirectory?: string }
  /** `isReadOnly`: the agent cannot write another version of the file. */
  | { readonly kind: 'edit'; readonly diff: FileDiff; readonly isReadOnly?: true }
  | { readonly kind: 'mcp'; readonly serverName: string; readonly toolName: string }
  | { readonly kind: 'generic'; readonly description: string }
  /** The agent asks the user something; the answer carries `answers`. */
  | { readonly kind: 'questions'; readonly description: string; readonly questions: readonly unknown[] }
  /** The agent wants its plan approved; the answer may carry `feedback` instead. */
  | { readonly kind: 'plan'; readonly description: string; readonly planPath: string };

/** Somebody's choice for a waiting call, with what the chosen option may carry. */
export type Answer = {
  readonly optionId: string;
  /** The user's own version of a proposed file. */
  readonly newContent?: string;
  /** Answers to the agent's questions, by the question's index. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What to change in a plan that is not accepted. */
  readonly feedback?: string;
  /** The client's key for this answer: the same answer with the same key counts only once. */
  readonly answerId?: string;
  /** The text it was read from; `answerId` is then the id of that message. */
  readonly words?: string;
};

export type Resolution = {
  readonly optionId: string;
  readonly by: Origin;
  readonly at: string;
  /** Identifies a repeated answer: its key, and a digest of its content. `isMessage`: a message gave it in words. */
  readonly key?: { readonly answerId: string; readonly digest: string; readonly isMessage?: true };
};

/** The narrowest yes: this one call and never more. Every engine offers it under this id. */
export const allowOnceOption = 'proceed_once';

/** The option that means no, for every kind of question. */
export const cancelOption = 'cancel';

/** How people say what the common options did. */
export const answerWords: Readonly<Record<string, string>> = {
  [allowOnceOption]: 'allowed once',
  [cancelOption]: 'denied',
  proceed_always: 'allowed for this session',
};

export function isFinal(call: ToolCall): boolean {
  return call.status === 'succeeded' || call.status === 'failed' || call.status === 'cancelled';
}
