import type { Act } from './act.js';
import { give } from './answer.js';
import { send } from './prompt.js';

/** Sends what was accepted again, as a client does that lost the reply: it is still one prompt, and one answer. */
export const repeat: Act = {
  leadsTo: ['answer repeated'],
  weight: ({ accepted, answers }) => (accepted.size + answers.length > 0 ? 0.3 : 0),
  async perform(witness, scene) {
    const { random } = scene;
    const given = random.pick(witness.answers.filter(({ isAccepted }) => isAccepted));
    if (given && random.chance(0.7)) return give(witness, given, scene);
    const prompt = random.pick([...witness.prompts.values()]);
    if (prompt) await send(witness, prompt, scene);
  },
};
