/**
 * The parts of gemini-cli-core's objects that we read, as they are at run time in every supported release. Anything
 * that a release may lack is optional; `test/e2e/attach-contract.test.ts` checks the rest.
 */

export type CoreToolCall = {
  readonly status: 'validating' | 'scheduled' | 'awaiting_approval' | 'executing' | 'success' | 'error' | 'cancelled';
  readonly request: {
    readonly callId: string;
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly parentCallId?: string;
  };
  readonly invocation?: { getDescription?(): string };
  readonly correlationId?: string;
  readonly outcome?: string;
  /** Set for a shell command, once its process runs. */
  readonly pid?: number;
  readonly confirmationDetails?: CoreConfirmation;
  readonly liveOutput?: CoreOutput;
  readonly response?: {
    readonly resultDisplay?: CoreOutput;
    readonly error?: { readonly message: string };
    readonly errorType?: string;
  };
};

export type CoreConfirmation =
  | {
      readonly type: 'exec';
      readonly command: string;
      readonly untrustedFlags?: readonly unknown[];
      readonly modifiedBuildFiles?: readonly unknown[];
    }
  | {
      readonly type: 'edit';
      readonly fileName: string;
      readonly filePath: string;
      readonly fileDiff: string;
      readonly originalContent: string | null;
      readonly newContent: string;
      readonly isModifying?: boolean;
      readonly isBuildFile?: boolean;
    }
  | { readonly type: 'mcp'; readonly serverName: string; readonly toolName: string }
  | { readonly type: 'info'; readonly prompt: string; readonly urls?: readonly string[] }
  | { readonly type: 'ask_user'; readonly questions: readonly CoreQuestion[] }
  | { readonly type: 'exit_plan_mode'; readonly planPath: string }
  | { readonly type: 'sandbox_expansion'; readonly command: string };

export type CoreQuestion = {
  readonly question: string;
  readonly options?: readonly { readonly label: string }[];
};

/** Plain text, terminal lines of styled tokens, a file diff, or something structured such as a todo list. */
export type CoreOutput = string | readonly (readonly { readonly text: string }[])[] | Record<string, unknown>;

export type CoreStreamEvent =
  | { readonly type: 'content'; readonly value: string }
  | { readonly type: 'thought'; readonly value: { readonly subject: string; readonly description: string } }
  | { readonly type: 'citation'; readonly value: string }
  | { readonly type: 'model_info'; readonly value: string }
  | { readonly type: 'finished'; readonly value: { readonly reason?: string; readonly usageMetadata?: CoreUsage } }
  | { readonly type: 'error'; readonly value: { readonly error: unknown } }
  | { readonly type: 'invalid_stream'; readonly value?: { readonly message?: string } }
  | { readonly type: 'tool_call_request'; readonly value: CoreToolRequest }
  | { readonly type: 'retry' }
  | { readonly type: 'agent_execution_stopped' | 'agent_execution_blocked'; readonly value: CoreStop }
  | {
      readonly type: 'context_window_will_overflow';
      readonly value: { readonly estimatedRequestTokenCount: number; readonly remainingTokenCount: number };
    }
  | { readonly type: 'max_session_turns' | 'loop_detected' | 'chat_compressed' | 'user_cancelled' };

export type CoreToolRequest = {
  readonly callId: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
};

type CoreStop = { readonly reason: string; readonly systemMessage?: string };

type CoreUsage = {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly totalTokenCount?: number;
};
