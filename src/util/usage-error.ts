/** An error on the command line or in the environment, described in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
