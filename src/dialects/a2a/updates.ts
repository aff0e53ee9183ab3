import {
  type Agent,
  type Artifact,
  type ArtifactPart,
  isTurnEnd,
  type SessionEvent,
  type TurnState,
} from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import type { Shown } from '../../domain/turn.js';
import { contentOf, toEventMetadata } from '../development-tool/to-wire.js';
import type { Wire } from '../shared/wire.js';
import { questionParts } from './question.js';

/** What a stream sends after the task itself, independent of the A2A version. */
export type Update = StatusUpdate | ArtifactUpdate;

export type StatusUpdate = {
  readonly type: 'status';
  readonly taskId: string;
  readonly contextId: string;
  readonly state: TurnState;
  readonly at: string;
  /** The agent's message with this status, if any. */
  readonly message: { readonly id: string; readonly parts: readonly ArtifactPart[] } | undefined;
  readonly metadata: Wire | undefined;
};

export type ArtifactUpdate = {
  readonly type: 'artifact';
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
};

export type UpdateOptions = {
  readonly taskId: string;
  readonly contextId: string;
  readonly agent: Agent;
  /** The client supports the development-tool extension. */
  readonly isExtended: boolean;
  readonly shown: Shown;
};

/** What a client without the extension was sent before the event. */
export type Past = {
  /** The client has the beginning of the reply, so the rest is appended. */
  readonly hasAnswer: boolean;
  /** Text from the agent that this client was not sent; it comes with the end of the reply. */
  readonly unsent?: string;
  /** The last event of the same turn that was sent. */
  readonly previous: SessionEvent | undefined;
  /** The open questions of the turn. */
  readonly waiting: readonly WaitingCall[];
};

/** The updates that an A2A client gets for one session event. Pure. */
export function toUpdates(event: SessionEvent, options: UpdateOptions, past: Past): Update[] {
  if (event.type === 'artifact') return [artifactUpdate(event, options)];
  return options.isExtended ? extended(event, options, past) : plain(event, options, past);
}

/** RFC: every event is a status update whose metadata says what it is. */
function extended(event: SessionEvent, options: UpdateOptions, past: Past): Update[] {
  if (event.type === 'prompt') return [];
  const content = contentOf(event);
  const { text, data } = content;
  const parts = text === undefined ? (data ? [dataPart(data)] : questionAt(event, true, past)) : [textPart(text)];
  return [statusUpdate(event, options, stateOf(event), parts, toEventMetadata(event, content, options.agent))];
}

/**
 * A client without the extension gets the state, the reply as chunks of one artifact as it streams, and each question as
 * text that says how to answer.
 */
function plain(event: SessionEvent, options: UpdateOptions, past: Past): Update[] {
  const { hasAnswer, unsent = '', previous, waiting } = past;
  if (event.type === 'text') return [answerChunk(event.text, options, { append: hasAnswer, lastChunk: false })];
  if (asks(event)) {
    const open = waiting.some(({ id }) => id === event.call.id) ? waiting : [event.call];
    return question(event, options, questionParts(open, false));
  }
  // The question has already sent this state.
  if (event.type !== 'turn' || (event.state === 'input-required' && previous && asks(previous))) return [];
  const message = event.error === undefined ? questionAt(event, false, past) : [textPart(event.error)];
  const end = statusUpdate(event, options, event.state, message);
  // A question does not end the reply, which continues after the answer.
  if (!isTurnEnd(event.state) || (!hasAnswer && unsent === '')) return [end];
  return [answerChunk(unsent, options, { append: hasAnswer, lastChunk: true }), end];
}

type Asking = SessionEvent & { type: 'tool'; call: WaitingCall };

/**
 * A question is the message of the `input-required` state. Some clients read only artifacts, and would show the agent stopping
 * in the middle of a sentence: for them the question is also an artifact.
 */
function question(event: Asking, options: UpdateOptions, parts: readonly ArtifactPart[]): Update[] {
  const { taskId, contextId } = options;
  const inWords = parts.filter(({ kind }) => kind === 'text');
  const artifact = { id: `question-${event.call.id}`, name: 'question', parts: inWords };
  return [
    // Complete, but not marked as the last chunk: some clients show only the last chunk, without the reply before it.
    { type: 'artifact', taskId, contextId, artifact, append: false, lastChunk: false },
    statusUpdate(event, options, 'input-required', parts),
  ];
}

function asks(event: SessionEvent): event is Asking {
  return event.type === 'tool' && event.call.status === 'waiting';
}

/** The open questions with the state, unless the previous event has just sent them. */
function questionAt(
  event: SessionEvent,
  isExtended: boolean,
  { previous, waiting }: Past,
): readonly ArtifactPart[] | undefined {
  const isAsking = event.type === 'turn' && event.state === 'input-required' && waiting.length > 0;
  return isAsking && !(previous && asks(previous)) ? questionParts(waiting, isExtended) : undefined;
}

function answerChunk(
  text: string,
  { taskId, contextId }: UpdateOptions,
  place: Pick<ArtifactUpdate, 'append' | 'lastChunk'>,
): ArtifactUpdate {
  return { type: 'artifact', taskId, contextId, artifact: answerArtifact(text), ...place };
}

/** The agent's reply in a turn, for clients without the extension. */
export function answerArtifact(text: string): Artifact {
  return { id: 'answer', name: 'answer', parts: [textPart(text)] };
}

function artifactUpdate(
  event: SessionEvent & { type: 'artifact' },
  { taskId, contextId }: UpdateOptions,
): ArtifactUpdate {
  const { artifact, append = false, lastChunk = true } = event;
  return { type: 'artifact', taskId, contextId, artifact, append, lastChunk };
}

function statusUpdate(
  event: SessionEvent,
  { taskId, contextId, shown }: UpdateOptions,
  state: TurnState,
  parts?: readonly ArtifactPart[],
  metadata?: Wire,
): StatusUpdate {
  const message = parts && { id: `${taskId}-${event.seq}`, parts };
  return { type: 'status', taskId, contextId, state: shown(state), at: event.at, message, metadata };
}

function textPart(text: string): ArtifactPart {
  return { kind: 'text', text };
}

function dataPart(data: Wire): ArtifactPart {
  return { kind: 'data', data };
}

function stateOf(event: SessionEvent): TurnState {
  return event.type === 'turn' ? event.state : 'working';
}
