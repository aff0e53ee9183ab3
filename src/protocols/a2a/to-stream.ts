import type { Part, StreamResponse } from '@a2a-js/sdk';
import { type Agent, isTurnEnd, type SessionEvent, type TurnState } from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import { contentOf, toEventMetadata } from '../development-tool/to-wire.js';
import { agentMessage, dataPart, textPart, toWireArtifact } from './parts.js';
import { toTaskState } from './states.js';

export type StreamOptions = {
  readonly taskId: string;
  readonly contextId: string;
  readonly agent: Agent;
  /** The client knows the development-tool extension. */
  readonly isExtended: boolean;
};

/** What came before the event. */
export type Past = {
  /** Everything the agent said in this turn. */
  readonly text: string;
  /** The event of the same turn that was told last. */
  readonly previous: SessionEvent | undefined;
};

/** The A2A events (v1.0 objects of the SDK) that tell a client of one session event. Pure. */
export function toStream(event: SessionEvent, options: StreamOptions, past: Past): StreamResponse[] {
  if (event.type === 'artifact') return [artifactUpdate(event, options)];
  return options.isExtended ? extended(event, options) : plain(event, options, past);
}

/** RFC: every event is a status update whose metadata says what it is. */
function extended(event: SessionEvent, options: StreamOptions): StreamResponse[] {
  if (event.type === 'prompt') return [];
  const content = contentOf(event);
  const parts = content.text === undefined ? content.data && [dataPart(content.data)] : [textPart(content.text)];
  return [statusUpdate(event, options, stateOf(event), parts, toEventMetadata(event, content, options.agent))];
}

/**
 * A client without the extension gets the state, the answer as one whole artifact at the end, because that is what generic
 * clients read, and a permission as a sentence that says how to answer.
 */
function plain(event: SessionEvent, options: StreamOptions, { text, previous }: Past): StreamResponse[] {
  if (asks(event)) {
    return [
      statusUpdate(event, options, 'input-required', [textPart(howToAnswer(event.call)), callToAnswer(event.call)]),
    ];
  }
  // The question has said so already.
  if (event.type !== 'turn' || (event.state === 'input-required' && previous && asks(previous))) return [];
  const message = event.error === undefined ? undefined : [textPart(event.error)];
  const end = statusUpdate(event, options, event.state, message);
  return isTurnEnd(event.state) && text !== '' ? [answer(text, options), end] : [end];
}

function asks(event: SessionEvent): event is SessionEvent & { type: 'tool'; call: WaitingCall } {
  return event.type === 'tool' && event.call.status === 'waiting';
}

function howToAnswer({ id, name, description, approval }: WaitingCall): string {
  const options = approval.options.map((option) => `"${option.id}" (${option.name})`).join(', ');
  return (
    `Permission needed for ${name}${description === undefined ? '' : `: ${description}`}\n` +
    `Answer with a data part {"tool_call_id": "${id}", "selected_option_id": …}, one of ${options}.`
  );
}

function callToAnswer({ id, approval }: WaitingCall): Part {
  return dataPart({ tool_call_id: id, options: approval.options });
}

function answer(text: string, { taskId, contextId }: StreamOptions): StreamResponse {
  const artifact = toWireArtifact({ id: 'answer', name: 'answer', parts: [{ kind: 'text', text }] });
  const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
  return { payload: { $case: 'artifactUpdate', value } };
}

function artifactUpdate(
  event: SessionEvent & { type: 'artifact' },
  { taskId, contextId }: StreamOptions,
): StreamResponse {
  const { append = false, lastChunk = true } = event;
  const value = { taskId, contextId, artifact: toWireArtifact(event.artifact), append, lastChunk, metadata: undefined };
  return { payload: { $case: 'artifactUpdate', value } };
}

function statusUpdate(
  event: SessionEvent,
  { taskId, contextId }: StreamOptions,
  state: TurnState,
  parts?: Part[],
  metadata?: Record<string, unknown>,
): StreamResponse {
  const ids = { taskId, contextId, messageId: `${taskId}-${event.seq}` };
  const message = parts && agentMessage(ids, parts);
  const value = { taskId, contextId, status: { state: toTaskState(state), message, timestamp: event.at }, metadata };
  return { payload: { $case: 'statusUpdate', value } };
}

function stateOf(event: SessionEvent): TurnState {
  return event.type === 'turn' ? event.state : 'working';
}
