import { until } from '../until.js';
import { send } from './acts/prompt.js';
import type { Scene } from './scene.js';
import type { Witness } from './witness.js';

/** Makes a task longer than what a session keeps in memory, with one reply. */
export async function grow(
  witness: Witness,
  given: Pick<Scene, 'server' | 'random' | 'tally' | 'newId'>,
): Promise<void> {
  const nothing = (): void => {};
  const scene = { ...given, hookUrl: '', happened: nothing, isTroubled: () => false, storeWasMissed: nothing };
  await witness.connect(scene);
  const id = scene.newId();
  await send(witness, { id, text: `longest ${id}` }, scene);
  const turnId = witness.accepted.get(id) ?? '';
  await until(() => witness.record.hasEnded(turnId));
  if (!witness.isTooLongForMemory) witness.broken.push(`a long reply made ${witness.record.events.length} events`);
}
