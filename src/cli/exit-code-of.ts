import { CosessionError, type CosessionErrorCode } from '../client/transport/cosession-error.js';
import { UsageError } from '../util/usage-error.js';
import { exitCodes } from './argv/exit-codes.js';

const ofErrors: Partial<Record<CosessionErrorCode, keyof typeof exitCodes>> = {
  'not-found': 'noSession',
  'unknown-task': 'noSession',
  'cannot-connect': 'noSession',
  'not-ready': 'notLoggedIn',
  'token-required': 'notLoggedIn',
  'bad-token': 'notLoggedIn',
};

/** The exit code of a command that threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage.code;
  const name = error instanceof CosessionError ? ofErrors[error.code] : undefined;
  return exitCodes[name ?? 'failed'].code;
}
