import { setTimeout as sleep } from 'node:timers/promises';
import { sayChunks } from '../support/order.js';
import type { Run } from './run.js';
import { isPeer, type PeerName, peerNames } from './sides.js';

/** The slowest round of the slowest peer takes a minute on a busy machine. */
const patienceMs = 240_000;

/** What belongs to a peer may fail or never end; what is ours may not. */
export function attemptWith(say: Run['say']): Run['attempt'] {
  return async (side, measure) => {
    if (!isPeer(side)) return measure();
    const waiting = new AbortController();
    try {
      await Promise.race([measure(), outOfPatience(waiting.signal)]);
    } catch (error) {
      say(`${side} is left out here: ${firstLineOf(error)}`);
    } finally {
      waiting.abort();
    }
  };
}

/** Those that can be installed, start, and take a turn. */
export async function usablePeers(start: Run['start'], attempt: Run['attempt']): Promise<readonly PeerName[]> {
  const usable: PeerName[] = [];
  for (const peer of peerNames) {
    await attempt(peer, async () => {
      const { agent, process } = await start(peer);
      try {
        const { receivedAt } = await agent.turn(sayChunks(1));
        if (receivedAt.length !== 1) throw new Error('it did not pass on what the model said');
        usable.push(peer);
      } finally {
        await process.stop();
      }
    });
  }
  return usable;
}

async function outOfPatience(signal: AbortSignal): Promise<void> {
  await sleep(patienceMs, undefined, { signal });
  throw new Error(`it did not finish within ${patienceMs / 1000} s`);
}

function firstLineOf(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? '';
}
