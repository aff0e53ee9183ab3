import type { Scene } from './scene.js';

/** The server has no room, puts the task away at this moment, or has nothing to cancel any more. */
const always = new Set(['not-ready', 'not-cancelable']);

/** Servers of a cluster outlive the troubles of the store, and one of them may be about to stop: ask again. */
const inCluster = new Set(['store-unavailable', 'task-elsewhere', 'shutting-down']);

/** Whether a client may hear this of a request that is in order. Who holds the store up is told so, and nobody else. */
export function mayBeRefused(
  code: string,
  { isTroubled, isCluster }: Pick<Scene, 'isTroubled' | 'isCluster'>,
): boolean {
  if (always.has(code) || (isCluster && inCluster.has(code))) return true;
  return isTroubled() && code === 'store-unavailable';
}
