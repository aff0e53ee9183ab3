import { until } from '../until.js';
import { send } from './acts/prompt.js';
import type { Scene } from './scene.js';
import type { Witness } from './witness.js';

/** Makes a task longer than what a session keeps in memory, reply by reply. */
export async function grow(
  witness: Witness,
  given: Pick<Scene, 'server' | 'random' | 'tally' | 'newId'>,
): Promise<void> {
  const nothing = (): void => {};
  const scene = { ...given, hookUrl: '', happened: nothing, isTroubled: () => false, storeWasMissed: nothing };
  await witness.connect(scene);
  while (!witness.isTooLongForMemory) {
    const id = scene.newId();
    await send(witness, { id, text: `long ${id}` }, scene);
    await until(() => witness.record.hasEnded(witness.accepted.get(id) ?? ''));
  }
}
