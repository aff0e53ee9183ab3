/**
 * Every failure that a client can see has one code here. Transports map the code to
 * their own numbers in `server/http/error-table.ts`; nothing else in the code knows numbers.
 */
export type ErrorCode =
  | 'parse-error'
  | 'invalid-request'
  | 'unknown-method'
  | 'bad-request'
  | 'too-large'
  | 'not-json'
  | 'token-required'
  | 'bad-token'
  | 'certificate-required'
  | 'bad-code'
  | 'too-many-devices'
  | 'host-not-allowed'
  | 'origin-not-allowed'
  | 'other-user'
  | 'workspace-not-allowed'
  | 'workspace-away'
  | 'bad-settings'
  | 'scope-missing'
  | 'rate-limited'
  | 'auth-unavailable'
  | 'not-found'
  | 'upgrade-required'
  | 'unknown-task'
  | 'task-elsewhere'
  | 'shutting-down'
  | 'not-cancelable'
  | 'already-answered'
  | 'unknown-tool-call'
  | 'queue-full'
  | 'quota-exceeded'
  | 'message-id-used'
  | 'too-many-clients'
  | 'too-slow'
  | 'not-ready'
  | 'command-refused'
  | 'store-unavailable'
  | 'unknown-command'
  | 'command-failed'
  | 'internal';

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Facts a program can act on; shown to the client beside the message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Anything thrown, as an AppError. Unknown failures keep their cause for the log and never show it to the client. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', 'internal error; the log file has the details', {
    cause: thrown,
  });
}

export function isElsewhere(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'task-elsewhere';
}

export function isStoreAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'store-unavailable';
}
