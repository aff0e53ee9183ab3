import {
  type Agent,
  type Artifact,
  type ArtifactPart,
  isTurnEnd,
  type SessionEvent,
  type TurnState,
} from '../../domain/events.js';
import type { WaitingCall } from '../../domain/tool-call.js';
import { contentOf, toEventMetadata } from '../development-tool/to-wire.js';
import type { Wire } from '../development-tool/tool-call.js';
import { questionParts } from './question.js';

/** What a stream tells its reader after the task itself, in no version's form. */
export type Update = StatusUpdate | ArtifactUpdate;

export type StatusUpdate = {
  readonly type: 'status';
  readonly taskId: string;
  readonly contextId: string;
  readonly state: TurnState;
  readonly at: string;
  /** What the agent says with it, if anything. */
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
  /** The client knows the development-tool extension. */
  readonly isExtended: boolean;
};

/** What a client without the extension was sent before the event. */
export type Past = {
  /** It has the beginning of the answer: what follows is appended. */
  readonly hasAnswer: boolean;
  /** What the agent said and this client was not sent; it comes with the end of the answer. */
  readonly unsent?: string;
  /** The event of the same turn that was sent last. */
  readonly previous: SessionEvent | undefined;
  /** The questions of the turn that are open now. */
  readonly waiting: readonly WaitingCall[];
};

/** What a client of A2A is told of one session event. Pure. */
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
 * A client without the extension gets the state, the answer as it comes, in chunks of one artifact, and a permission as a
 * sentence that says how to answer.
 */
function plain(event: SessionEvent, options: UpdateOptions, past: Past): Update[] {
  const { hasAnswer, unsent = '', previous, waiting } = past;
  if (event.type === 'text') return [answerChunk(event.text, options, { append: hasAnswer, lastChunk: false })];
  if (asks(event)) {
    const open = waiting.some(({ id }) => id === event.call.id) ? waiting : [event.call];
    return question(event, options, questionParts(open, false));
  }
  // The question has said so already.
  if (event.type !== 'turn' || (event.state === 'input-required' && previous && asks(previous))) return [];
  const message = event.error === undefined ? questionAt(event, false, past) : [textPart(event.error)];
  const end = statusUpdate(event, options, event.state, message);
  // Not at a question: the answer goes on when that is answered.
  if (!isTurnEnd(event.state) || (!hasAnswer && unsent === '')) return [end];
  return [answerChunk(unsent, options, { append: hasAnswer, lastChunk: true }), end];
}

type Asking = SessionEvent & { type: 'tool'; call: WaitingCall };

/**
 * A question is the message of the state it leads to. Some clients read nothing but artifacts, and would show that the agent
 * has ended with half a sentence: for them it is an artifact too.
 */
function question(event: Asking, options: UpdateOptions, parts: readonly ArtifactPart[]): Update[] {
  const { taskId, contextId } = options;
  const inWords = parts.filter(({ kind }) => kind === 'text');
  const artifact = { id: `question-${event.call.id}`, name: 'question', parts: inWords };
  return [
    // Whole, but not the last chunk: there are clients that show the last chunk alone, without the answer before it.
    { type: 'artifact', taskId, contextId, artifact, append: false, lastChunk: false },
    statusUpdate(event, options, 'input-required', parts),
  ];
}

function asks(event: SessionEvent): event is Asking {
  return event.type === 'tool' && event.call.status === 'waiting';
}

/** What a task waits for, told with its state to those who were not told just before. */
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

/** What the agent says in a turn, for clients without the extension. */
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
  { taskId, contextId }: UpdateOptions,
  state: TurnState,
  parts?: readonly ArtifactPart[],
  metadata?: Wire,
): StatusUpdate {
  const message = parts && { id: `${taskId}-${event.seq}`, parts };
  return { type: 'status', taskId, contextId, state, at: event.at, message, metadata };
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
