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

/** What came before the event. */
export type Past = {
  /** Everything the agent said in this turn. */
  readonly text: string;
  /** The event of the same turn that was told last. */
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
 * A client without the extension gets the state, the answer as one whole artifact at the end, because that is what generic
 * clients read, and a permission as a sentence that says how to answer.
 */
function plain(event: SessionEvent, options: UpdateOptions, past: Past): Update[] {
  const { text, previous, waiting } = past;
  if (asks(event)) {
    const open = waiting.some(({ id }) => id === event.call.id) ? waiting : [event.call];
    return [statusUpdate(event, options, 'input-required', questionParts(open, false))];
  }
  // The question has said so already.
  if (event.type !== 'turn' || (event.state === 'input-required' && previous && asks(previous))) return [];
  const message = event.error === undefined ? questionAt(event, false, past) : [textPart(event.error)];
  const end = statusUpdate(event, options, event.state, message);
  return isTurnEnd(event.state) && text !== '' ? [answer(text, options), end] : [end];
}

function asks(event: SessionEvent): event is SessionEvent & { type: 'tool'; call: WaitingCall } {
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

function answer(text: string, { taskId, contextId }: UpdateOptions): Update {
  const artifact = { id: 'answer', name: 'answer', parts: [textPart(text)] };
  return { type: 'artifact', taskId, contextId, artifact, append: false, lastChunk: true };
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
