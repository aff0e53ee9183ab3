import type { StreamRecord } from '../record.js';
import { lastWords } from '../script.js';
import type { Told } from '../told.js';
import type { Witness } from '../witness.js';

/** A turn ends as it went: completed when all was said, failed for a reason that there was. */
export function checkEnds(witness: Witness, log: StreamRecord): string[] {
  return log.ends.flatMap((end) => aboutEnd(witness, end, log.of(end.turnId)));
}

function aboutEnd({ prompts, stopped, answers }: Witness, end: Told, events: readonly Told[]): string[] {
  const { turnId = '', state, error } = end;
  const { messageId = '' } = events.find((event) => event.messageId !== undefined) ?? {};
  const { text = '' } = prompts.get(messageId) ?? {};
  switch (state) {
    case 'completed': {
      const said = events.map(textOf).join('');
      // Core does not ask the model again after a client said no.
      const isDeclined = answers.some(
        ({ callId, optionId }) => optionId === 'cancel' && events.some(({ tool_call_id: id }) => id === callId),
      );
      return said.endsWith(lastWords(text)) || isDeclined ? [] : [`"${text}" was completed with "${said.slice(-80)}"`];
    }
    case 'canceled':
      return stopped.has(turnId) ? [] : [`turn ${turnId} was canceled by nobody`];
    default:
      return isLossOfStore(end) || (isStopOfServer(end) && !events.some(isTool))
        ? []
        : [`turn ${turnId}${events.some(isTool) ? ' with tools' : ''} failed: ${String(error)}`];
  }
}

/** The store was away for longer than its patience, in the middle of the turn. */
export function isLossOfStore({ error }: Told): boolean {
  return String(error).includes('part of this turn was lost');
}

/** A turn whose tools everybody saw is gone on with. */
function isStopOfServer({ error }: Told): boolean {
  return String(error).includes('the server stopped while this turn ran');
}

function isTool({ kind }: Told): boolean {
  return kind === 'TOOL_CALL_UPDATE';
}

function textOf({ kind, content }: Told): string {
  return kind === 'TEXT_CONTENT' ? (content?.text ?? '') : '';
}
