import { AppError, type ErrorCode } from '../domain/errors.js';

/** Refusals that follow from what the session knows. */
const dependOnState: readonly ErrorCode[] = [
  'already-answered',
  'unknown-tool-call',
  'not-cancelable',
  'message-id-used',
];

/**
 * Decides in this tick, and resolves once the decision is stored. The store refuses what is accepted after another server
 * has taken over, but a refusal is never stored: it is given only while the claim holds.
 */
export async function storedDecision<T>(
  decide: () => T,
  { stored, checkHeld }: { readonly stored: () => Promise<void>; readonly checkHeld: () => Promise<void> },
): Promise<T> {
  try {
    const decided = decide();
    await stored();
    return decided;
  } catch (error) {
    if (error instanceof AppError && dependOnState.includes(error.code)) await checkHeld();
    throw error;
  }
}
