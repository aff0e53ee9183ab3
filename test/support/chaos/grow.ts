import { until } from '../until.js';
import { send } from './acts/prompt.js';
import { Lost } from './connection.js';
import type { Scene } from './scene.js';
import type { Witness } from './witness.js';

/** A server ends the connection of a client that reads too slowly, which on a busy machine is ours. */
const attempts = 20;

/** Makes a task longer than what a session keeps in memory, with one reply. */
export async function grow(
  witness: Witness,
  given: Pick<Scene, 'server' | 'random' | 'tally' | 'newId' | 'isCluster'>,
): Promise<void> {
  const nothing = (): void => {};
  const scene = { ...given, hookUrl: '', happened: nothing, isTroubled: () => false, storeWasMissed: nothing };
  let id = scene.newId();
  const hasEnded = (): boolean => witness.record.hasEnded(witness.accepted.get(id) ?? '');
  for (let attempt = 0; attempt < attempts && !witness.isTooLongForMemory; attempt++) {
    // Another server of a cluster may have taken the task over, and the reply was cut off.
    if (hasEnded()) id = scene.newId();
    try {
      await witness.connect(scene);
      await send(witness, { id, text: `longest ${id}` }, scene);
      await until(() => hasEnded() || !witness.isConnected || witness.broken.length > 0);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }
  if (!witness.isTooLongForMemory) witness.broken.push(`a long reply made ${witness.record.events.length} events`);
}
