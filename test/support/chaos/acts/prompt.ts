import { type Prompt, type Witness } from '../witness.js';
import type { Scene } from '../scene.js';
import { kinds } from '../script.js';
import type { Act } from './act.js';

/** A new prompt, behind another one or not. One of which nobody knows whether the server took it is sent again. */
export const prompt: Act = {
  leadsTo: [
    'prompt accepted',
    'question open',
    'tool running',
    'tool done',
    'speaking',
    'speaking in a long task',
    'turn over',
  ],
  weight: (witness) => (unknownOf(witness) ? 5 : witness.record.openTurns.length < 2 ? 3 : 0),
  async perform(witness, scene) {
    const again = unknownOf(witness);
    if (again) return send(witness, again, scene);
    const id = scene.newId();
    const kind = witness.isLong ? 'long' : scene.random.pick(kinds);
    await send(witness, { id, text: `${kind} ${id}` }, scene);
  },
};

export async function send(witness: Witness, given: Prompt, scene: Scene): Promise<void> {
  const { id, text } = given;
  witness.prompts.set(id, given);
  const message = { messageId: id, content: { text } };
  await witness.call(scene, ['message/send', { message }], ({ turnId }) => {
    const before = witness.accepted.get(id);
    if (before !== undefined && before !== turnId)
      witness.broken.push(`prompt ${id} of turn ${before} was taken again as ${String(turnId)}`);
    if (before === undefined) scene.tally.add('prompts accepted');
    witness.accepted.set(id, String(turnId));
    scene.happened('prompt accepted');
  });
}

/** A prompt that was sent and not acknowledged. */
export function unknownOf({ prompts, accepted }: Witness): Prompt | undefined {
  return [...prompts.values()].find(({ id }) => !accepted.has(id));
}
