/** A mistake on the command line or in the environment, said in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
