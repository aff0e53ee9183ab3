import { AppError, type ErrorCode, isElsewhere } from '../domain/errors.js';
import { isBeingUnloaded } from './lifetime.js';
import type { SessionPort } from './session-port.js';

/** Refusals that follow from what the session knows. */
const dependOnState: readonly ErrorCode[] = [
  'already-answered',
  'unknown-tool-call',
  'not-cancelable',
  'message-id-used',
];

/**
 * Decides in this tick, and resolves once the decision is stored. After another server has taken over, the store refuses
 * whatever is accepted here. A refusal is never stored, so it is given only while the claim holds. Otherwise the request
 * is forwarded to where the session runs now, if that is known: nothing of it was stored here.
 */
export async function storedDecision<T>({ here, there }: Decision<T>, place: StoredHere): Promise<T> {
  try {
    return await decideHere(here, place);
  } catch (error) {
    const isAway = isElsewhere(error) || isBeingUnloaded(error) || place.session.ended.aborted;
    const port = isAway ? await place.elsewhere?.() : undefined;
    if (!port || port === place.session) throw error;
    return there(port);
  }
}

/** The same request, here and where the session runs now. */
export type Decision<T> = { readonly here: () => T; readonly there: (port: SessionPort) => Promise<T> };

export type StoredHere = {
  readonly session: SessionPort;
  readonly checkHeld: () => Promise<void>;
  readonly elsewhere: (() => Promise<SessionPort | undefined>) | undefined;
};

async function decideHere<T>(decide: () => T, { session, checkHeld }: StoredHere): Promise<T> {
  try {
    const decided = decide();
    await session.stored();
    return decided;
  } catch (error) {
    if (error instanceof AppError && dependOnState.includes(error.code)) await checkHeld();
    throw error;
  }
}
