import { request } from '../request.js';
import type { Act } from './act.js';

/** Registers a webhook for a turn that has not ended. */
export const webhook: Act = {
  leadsTo: ['webhook registered', 'webhook called'],
  weight: ({ record: { openTurns }, webhooks }) => (openTurns.some((turnId) => !webhooks.has(turnId)) ? 1 : 0),
  async perform(witness, scene) {
    const turnId = witness.record.openTurns.find((open) => !witness.webhooks.has(open));
    if (turnId === undefined) return;
    const { status, code } = await request(scene, 'POST', `a2a/rest/tasks/${turnId}/pushNotificationConfigs`, {
      url: `${scene.hookUrl}?turn=${turnId}`,
    });
    if (status !== 201) return witness.checkRefusal(scene, code, 'a webhook');
    witness.webhooks.add(turnId);
    scene.tally.add('webhooks registered');
    scene.happened('webhook registered');
  },
};
