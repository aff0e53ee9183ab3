import type { Act } from './act.js';

/** Takes back a turn that runs or waits. */
export const cancel: Act = {
  leadsTo: ['cancel accepted'],
  weight: ({ record }) => (record.openTurns.length > 0 ? 0.1 : 0),
  async perform(witness, scene) {
    const turnId = scene.random.pick(witness.record.openTurns);
    if (turnId === undefined) return;
    witness.stopped.add(turnId);
    await witness.call(scene, ['tasks/cancel', { id: turnId }], () => {
      scene.tally.add('cancels accepted');
      witness.canceled.add(turnId);
      scene.happened('cancel accepted');
    });
  },
};
