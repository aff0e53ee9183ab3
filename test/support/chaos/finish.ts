import { until } from '../until.js';
import { answerTo, give } from './acts/answer.js';
import { deleteTask } from './acts/delete.js';
import { send, unknownOf } from './acts/prompt.js';
import type { Cast } from './cast.js';
import { unheard } from './checks/webhooks.js';
import type { Receiver } from './receiver.js';
import type { Scene } from './scene.js';
import type { Witness } from './witness.js';

export type FinishOptions = Pick<Scene, 'server' | 'random' | 'tally' | 'newId' | 'isCluster'> & {
  readonly cast: Cast;
  readonly receiver: Receiver;
};

/** In the last life everything is answered and nothing new asked for, until all is over or clearly never will be. */
export async function finish({ cast, receiver, ...given }: FinishOptions): Promise<void> {
  const scene: Scene = {
    ...given,
    hookUrl: receiver.url,
    happened: () => {},
    isTroubled: () => false,
    storeWasMissed: () => {},
  };
  receiver.onCalled = () => {};
  await Promise.all(cast.places.map((place) => finishTask(cast.at(place), scene)));
  for (const witness of cast.all)
    await until(() => unheard(witness, receiver).length === 0).catch(() => {
      witness.broken.push(`webhooks never heard of the ends of ${unheard(witness, receiver).join(', ')}`);
    });
  scene.tally.add('ends sent to webhooks', sum(cast.all.map(({ webhooks }) => webhooks.size)));
}

async function finishTask(witness: Witness, scene: Scene): Promise<void> {
  if (witness.deletion === 'asked') return deleteTask.perform(witness, scene);
  await witness.connect(scene);
  for (let again = unknownOf(witness); again; again = unknownOf(witness)) await send(witness, again, scene);
  const isOver = async (): Promise<boolean> => {
    for (const callId of witness.record.pending) await give(witness, answerTo(witness, callId, true), scene);
    const { record, accepted } = witness;
    return record.openTurns.length === 0 && [...accepted.values()].every((turnId) => record.hasEnded(turnId));
  };
  await until(isOver).catch(() => {
    witness.broken.push(`turns never ended: ${witness.record.openTurns.join(', ')}`);
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
