import type { ArtifactPart } from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import { toRfcToolCall } from '../development-tool/tool-call.js';
import type { Wire } from '../shared/wire.js';
import { questionText } from '../shared/question-text.js';

/** The open questions of a task as text for people and as data for programs. Pure. */
export function questionParts(open: readonly WaitingCall[], isExtended: boolean): readonly ArtifactPart[] {
  const toData = isExtended ? toRfcToolCall : toOptions;
  return [
    { kind: 'text', text: questionText(open) },
    ...open.map((call) => ({ kind: 'data', data: toData(call) }) as const),
  ];
}

/** What a client without the extension needs to answer with a data part. */
function toOptions({ id, approval }: WaitingCall): Wire {
  return { tool_call_id: id, options: approval.options };
}
