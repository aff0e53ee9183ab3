import { AppError } from '../../domain/errors.js';

/** Why a change could not be stored, in a sentence for clients. The driver's error is the cause, for the log. */
export function storeFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = codeOf(thrown);
  const [, why = 'the store rejected the change'] = reasons.find(([codes]) => codes.test(code)) ?? [];
  return new AppError('store-unavailable', `${why}; try again later`, { cause: thrown });
}

/** By the error codes of SQLite and PostgreSQL. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|53100)/, 'the disk of the store is full'],
  [/^(SQLITE_READONLY|25006)/, 'the store is read-only'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'the store is locked by another program'],
];

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
