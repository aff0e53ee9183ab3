import type { Given, Witness } from '../witness.js';
import type { Scene } from '../scene.js';
import type { Act } from './act.js';

/** Says yes or, sometimes, no. An answer of which nobody knows whether it was taken is given again, with its key. */
export const answer: Act = {
  leadsTo: ['answer accepted', 'tool running', 'tool done', 'answer repeated'],
  weight: ({ record }) => 6 * record.pending.length,
  async perform(witness, scene) {
    const { random } = scene;
    const callId = random.pick(witness.record.pending);
    if (callId !== undefined) await give(witness, answerTo(witness, callId, random.chance(0.8)), scene);
  },
};

/** The one that was given before, or a new one. */
export function answerTo({ answers }: Witness, callId: string, isYes: boolean): Given {
  const before = answers.find((given) => given.callId === callId);
  if (before) return before;
  const given = { callId, optionId: isYes ? 'proceed_once' : 'cancel', key: `answer-${callId}`, isAccepted: false };
  answers.push(given);
  return given;
}

export async function give(witness: Witness, given: Given, scene: Scene): Promise<void> {
  const { callId, optionId, key } = given;
  const data = {
    kind: 'TOOL_CALL_CONFIRMATION',
    tool_call_id: callId,
    selected_option_id: optionId,
    answerId: key,
  };
  const onAccepted = (): void => {
    scene.tally.add(given.isAccepted ? 'answers repeated' : 'answers accepted');
    scene.happened(given.isAccepted ? 'answer repeated' : 'answer accepted');
    given.isAccepted = true;
  };
  const isLate = (code: string): boolean => code === 'already-answered' && !given.isAccepted && isOver(witness, given);
  await witness.call(scene, ['message/send', { message: { content: { data } } }], onAccepted, isLate);
}

/** Whoever cancels a turn answers its questions. */
function isOver({ record, stopped }: Witness, { callId }: Given): boolean {
  return stopped.has(record.calls.get(callId)?.turnId ?? '');
}
