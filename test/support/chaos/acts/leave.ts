import type { Act } from './act.js';

/** Stops watching, whatever the task does. Nobody watches it then: if it is idle it makes room for others. */
export const leave: Act = {
  leadsTo: ['task opened again'],
  weight: ({ record: { openTurns } }) => (openTurns.length === 0 ? 2 : 0.2),
  async perform(witness) {
    witness.disconnect();
  },
};
