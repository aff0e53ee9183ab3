import type { StreamRecord } from '../record.js';
import { nameOf } from '../told.js';
import type { Given, Witness } from '../witness.js';

/** An answer that was accepted is in the log, and the one that counts: a yes never waits again, a no never runs. */
export function checkAnswers({ answers }: Witness, log: StreamRecord, runs: readonly string[]): string[] {
  return answers.filter(({ isAccepted }) => isAccepted).flatMap((given) => aboutAnswer(given, log, runs));
}

function aboutAnswer({ callId, optionId }: Given, { events, calls }: StreamRecord, runs: readonly string[]): string[] {
  const id = nameOf(calls.get(callId) ?? {});
  const updates = events.filter((event) => event.tool_call_id === callId);
  const answered = updates.findIndex(({ metadata }) => JSON.stringify(metadata).includes('resolvedBy'));
  if (answered === -1) return [`the answer to ${id} was accepted and is not in the store`];
  const isAskedAgain = updates.slice(answered).some((update) => update.confirmation_request !== undefined);
  return [
    ...(isAskedAgain ? [`${id} was asked about again after its answer`] : []),
    ...(optionId === 'cancel' && runs.includes(id) ? [`${id} ran although it was declined`] : []),
  ];
}
