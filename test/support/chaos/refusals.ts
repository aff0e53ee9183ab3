/** The server has no room, puts the task away at this moment, or has nothing to cancel any more. */
const always = new Set(['not-ready', 'not-cancelable']);

/** Whether a client may hear this of a request that is in order. Who holds the store up is told so, and nobody else. */
export function mayBeRefused(code: string, isTroubled: boolean): boolean {
  return always.has(code) || (isTroubled && (code === 'store-unavailable' || code === 'task-elsewhere'));
}
