import type { WireEvent } from '../wire-client.js';
import type { ToolUpdate, Witness } from './witness.js';

/** What of a task does not hold when everything is over. `runs`: the ids that tools left behind. */
export function brokenPromises(witness: Witness, runs: readonly string[]): string[] {
  return [
    ...witness.broken,
    ...[...witness.accepted].flatMap(([id, turnId]) => aboutPrompt(witness, id, turnId)),
    ...[...witness.calls.values()].flatMap((call) => aboutCall(witness, call, runs)),
    ...witness.events.filter(({ state }) => state === 'failed').flatMap((end) => aboutFailure(witness, end)),
  ].map((broken) => `${witness.taskId}: ${broken}`);
}

function aboutPrompt({ events }: Witness, id: string, turnId: string): string[] {
  const ends = events.filter((event) => event['turnId'] === turnId && event['final'] === true).length;
  const turns = new Set(events.flatMap((event) => (event['messageId'] === id ? [String(event['turnId'])] : [])));
  return [
    ...(ends === 1 ? [] : [`the turn of prompt ${id} ended ${ends} times`]),
    ...(turns.size === 1 && turns.has(turnId) ? [] : [`prompt ${id} of turn ${turnId} is in ${[...turns].join(', ')}`]),
  ];
}

function aboutCall(witness: Witness, call: ToolUpdate, runs: readonly string[]): string[] {
  const { tool_call_id: callId, status, turnId } = call;
  const id = call.input_parameters.description ?? '';
  const hasRun = runs.includes(id);
  const isWanted = !witness.refused.has(callId) && !witness.stopped.has(String(turnId));
  switch (status) {
    case 'SUCCEEDED':
      return hasRun ? [] : [`${id} succeeded and left nothing`];
    case 'FAILED':
      return JSON.stringify(call['error']).includes('The server was restarted')
        ? []
        : [`${id} failed: ${JSON.stringify(call)}`];
    case 'CANCELLED':
      return [
        ...(isWanted ? [`${id} was cancelled by nobody`] : []),
        ...(hasRun && witness.declined.has(callId) ? [`${id} ran although it was declined`] : []),
      ];
    default:
      return [`${id} is ${status} for ever`];
  }
}

/** Only a restart ends a turn badly, and not one whose tools everybody saw: that one is gone on with. */
function aboutFailure({ events }: Witness, { turnId, error }: WireEvent): string[] {
  const hadTools = events.some((event) => event.kind === 'TOOL_CALL_UPDATE' && event['turnId'] === turnId);
  const isByRestart = String(error).includes('the server stopped while this turn ran');
  return isByRestart && !hadTools
    ? []
    : [`turn ${String(turnId)}${hadTools ? ' with tools' : ''} failed: ${String(error)}`];
}
