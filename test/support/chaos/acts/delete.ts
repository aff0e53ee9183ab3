import type { Act } from './act.js';
import { request } from '../request.js';

/** Deletes the task, whatever it does. One that nobody knows to be deleted is deleted again. */
export const deleteTask: Act = {
  leadsTo: ['task deleted'],
  weight: ({ record: { events }, isLong }) => (isLong || events.length === 0 ? 0 : 0.05),
  async perform(witness, scene) {
    const wasAsked = witness.deletion === 'asked';
    witness.deletion = 'asked';
    const { status, code } = await request(scene, 'DELETE', `tasks/${witness.taskId}`);
    // Not found: the request before this one was heard.
    if (status !== 204 && !(wasAsked && status === 404)) return witness.checkRefusal(scene, code, 'DELETE');
    witness.deletion = 'accepted';
    scene.tally.add('tasks deleted');
    scene.happened('task deleted');
  },
};
