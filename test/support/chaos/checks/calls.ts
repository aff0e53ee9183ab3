import type { StreamRecord } from '../record.js';
import { nameOf, type Told } from '../told.js';
import type { Witness } from '../witness.js';
import { isLossOfStore } from './ends.js';

/** Every call ended, and as it is told: with what it left behind, or with a reason that there was. */
export function checkCalls(witness: Witness, log: StreamRecord, runs: readonly string[]): string[] {
  const isCanceled = (call: Told): boolean => isCanceledBySomebody(witness, log, call);
  return [...log.calls.values()].flatMap((call) => aboutCall(call, runs, isCanceled));
}

function aboutCall(call: Told, runs: readonly string[], isCanceled: (call: Told) => boolean): string[] {
  const id = nameOf(call);
  switch (call.status) {
    case 'SUCCEEDED':
      return runs.includes(id) ? [] : [`${id} succeeded and left nothing`];
    case 'FAILED':
      return JSON.stringify(call.error).includes('The server was restarted')
        ? []
        : [`${id} failed: ${JSON.stringify(call)}`];
    case 'CANCELLED':
      return isCanceled(call) ? [] : [`${id} was cancelled by nobody`];
    default:
      return [`${id} is ${call.status} for ever`];
  }
}

function isCanceledBySomebody({ answers, stopped }: Witness, log: StreamRecord, call: Told): boolean {
  const { turnId = '' } = call;
  const isDeclined = answers.some(({ callId, optionId }) => callId === call.tool_call_id && optionId === 'cancel');
  return isDeclined || stopped.has(turnId) || log.of(turnId).some(isLossOfStore);
}
