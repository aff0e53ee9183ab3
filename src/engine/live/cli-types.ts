import type { CoreStreamEvent, CoreToolCall } from '../gemini/core-types.js';
import type { ModelConnection } from '../gemini/own-call-ids.js';

/** The parts of the running Gemini CLI that we use. Optional ones are not in every supported release. */

export type CliConfig = {
  getSessionId(): string;
  getModel(): string;
  getApprovalMode(): string;
  setApprovalMode?(mode: string): void;
  setModel?(model: string, isTemporary?: boolean): void;
  isPlanEnabled?(): boolean;
  getDebugMode(): boolean;
  getTargetDir(): string;
  getMessageBus(): CliMessageBus;
  isTrustedFolder(): boolean;
  getDisableAlwaysAllow?(): boolean;
  getUserTier?(): string | undefined;
  /** Undefined until the user is logged in. Replaced after each login. */
  getContentGenerator?(): ModelConnection | undefined;
};

export type CliMessageBus = {
  publish(message: CliBusMessage): Promise<void>;
  subscribe(type: 'tool-calls-update', listener: (message: { toolCalls: readonly CoreToolCall[] }) => void): void;
};

export type CliBusMessage = {
  readonly type: string;
  readonly correlationId?: string;
  readonly confirmed?: boolean;
  readonly requiresUserConfirmation?: boolean;
  readonly outcome?: string;
  readonly payload?: unknown;
};

export type CliSettings = {
  merged: {
    security?: { enablePermanentToolApproval?: boolean };
    general?: { enableAutoUpdate?: boolean; enableAutoUpdateNotification?: boolean };
  };
};

export type CliClient = {
  sendMessageStream(query: unknown, signal: AbortSignal, ...rest: unknown[]): AsyncGenerator<CoreStreamEvent, unknown>;
};

export type CliHistoryItem = { readonly type: string; readonly text?: unknown; readonly id?: number };

export type CliAddItem = (item: CliHistoryItem & Record<string, unknown>, at: number) => void;

export type CliSubmitQuery = (
  query: unknown,
  options?: { isContinuation?: boolean },
  promptId?: string,
) => Promise<unknown>;

export type CliStream = {
  streamingState: 'idle' | 'responding' | 'waiting_for_confirmation';
  submitQuery: CliSubmitQuery;
  cancelOngoingRequest: (clearBuffer?: boolean) => void;
  loopDetectionConfirmationRequest?: CliLoopQuestion | null;
};

export type CliLoopQuestion = { onComplete(result: { userSelection: 'keep' | 'disable' }): void };

/** A custom command wants to run shell commands. The CLI shows it like a waiting tool. */
export type CliShellQuestion = {
  readonly command: string;
  readonly commands?: readonly string[];
  onConfirm(outcome: string): Promise<void>;
};

export type CliActionQuestion = { readonly prompt: unknown; onConfirm(confirmed: boolean): void };

export type CliQueueOptions = { isConfigInitialized: boolean; isMcpReady?: boolean; isCompressing?: boolean };

export type CliQueue = { addMessage(message: string): void };

export type CliSlashCommand = {
  readonly name: string;
  readonly altNames?: readonly string[];
  readonly description?: string;
  readonly kind?: string;
  readonly hidden?: boolean;
  readonly isSafeConcurrent?: boolean;
  readonly autoExecute?: boolean;
  readonly takesArgs?: boolean;
  readonly completion?: unknown;
  readonly subCommands?: readonly CliSlashCommand[];
};

export type CliSlash = {
  slashCommands?: readonly CliSlashCommand[] | undefined;
  handleSlashCommand: CliHandleSlashCommand;
  confirmationRequest?: CliActionQuestion | null;
  commandContext?: { readonly session?: { readonly stats?: unknown } };
  pendingHistoryItems?: readonly {
    readonly tools?: readonly { readonly status?: string; readonly confirmationDetails?: Partial<CliShellQuestion> }[];
  }[];
};

export type CliHandleSlashCommand = (raw: unknown, ...rest: unknown[]) => Promise<false | { type: string }>;
