import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAct } from './acts/choose.js';
import { deleteTask } from './acts/delete.js';
import type { Cast } from './cast.js';
import { Lost, Refused } from './connection.js';
import { Death } from './death.js';
import type { Moment } from './moments.js';
import { Trouble } from './outages/trouble.js';
import type { Plan } from './plan.js';
import type { Receiver } from './receiver.js';
import type { Scene } from './scene.js';
import type { Witness } from './witness.js';

export type LifeOptions = Pick<Scene, 'server' | 'random' | 'tally' | 'newId' | 'isCluster'> & {
  readonly plan: Plan;
  readonly cast: Cast;
  readonly receiver: Receiver;
};

/** Far more than it takes on a busy machine, and for a store that is away for as long as it has patience. */
const hungMs = 300_000;

/** Clients do what clients do, the store comes and goes, until the planned moment, in which the server is killed. */
export async function liveAndDie({ plan, cast, receiver, ...given }: LifeOptions): Promise<void> {
  const { server, tally, random } = given;
  const death = new Death(plan, server);
  const trouble = new Trouble(plan.outage, death, tally);
  const scene: Scene = {
    ...given,
    hookUrl: receiver.url,
    happened(moment) {
      trouble.workGoesOn();
      death.happened(moment);
    },
    isTroubled: () => trouble.hasBegun,
    storeWasMissed: () => trouble.isNoticed(),
  };
  receiver.onCalled = () => scene.happened('webhook called');
  const live = async (place: number): Promise<void> => {
    while (!death.signal.aborted) {
      await actOnce(cast.at(place), scene, plan.killAt);
      await sleep(random.below(30));
    }
  };
  const hasEnded = server.exit.then((code) => {
    const errors = JSON.stringify(server.log.filter(({ level }) => level === 'error'));
    if (!death.signal.aborted) cast.broken.push(`the server ended by itself: ${code} ${server.stderr}${errors}`);
    return death.come();
  });
  const stuck = setTimeout(() => {
    cast.broken.push(`"${plan.killAt}" never came`);
    death.come();
  }, hungMs);
  try {
    await Promise.all([...cast.places.map(live), trouble.run()]);
  } finally {
    clearTimeout(stuck);
    death.come();
    await hasEnded;
    for (const witness of cast.all) witness.disconnect();
  }
  tally.add(`killed at: ${plan.killAt}`);
}

/** In, or out, or on with it. What a crash or a refusal cuts off is tried again, or not, as chance has it. */
async function actOnce(witness: Witness, scene: Scene, wish: Moment): Promise<void> {
  try {
    if (witness.deletion === 'asked') await deleteTask.perform(witness, scene);
    else if (!witness.isConnected) await witness.connect(scene);
    else await chooseAct(witness, wish, scene.random)?.perform(witness, scene);
  } catch (error) {
    if (!(error instanceof Lost || error instanceof Refused)) throw error;
    witness.disconnect();
  }
}
