import type { Message, Task } from '@a2a-js/sdk';
import { type Artifact, isTurnEnd, type Origin, type SessionEvent, type TurnState } from '../../../domain/events.js';
import type { ToolCall, WaitingCall } from '../../../domain/tool-call.js';
import { agentMessage, textPart, toWireArtifact, toWirePart, userMessage } from '../../../dialects/a2a/parts.js';
import { questionParts } from '../../../dialects/a2a/question.js';
import { toTaskState } from '../../../dialects/a2a/states.js';
import { answerArtifact } from '../../../dialects/a2a/updates.js';
import { extensionUri } from '../../../dialects/development-tool/extension.js';
import type { SessionPort } from '../../../session/session-port.js';
import type { SessionView } from '../../../tasks/stored-session.js';
import { RecentMap } from '../../../util/recent-map.js';

/** One turn of a session as an A2A task. */
export type TaskRecord<Source extends SessionView = SessionPort> = {
  readonly id: string;
  readonly session: Source;
  /** The context shown to clients: the session's id, or the name that the client that started the task uses for it. */
  contextId: string;
  /** Whether it was started with the development-tool extension. */
  isExtended: boolean;
  state: TurnState;
  at: string;
  /** Everything the agent said in this turn. */
  text: string;
  /** The full length, since `text` may be cut. */
  textLength: number;
  /** The seqs of the events that start a reply and of those that end one, alternately. */
  readonly answerEdges: Set<number>;
  /** Why it failed, or its message when it paused. */
  note: string | undefined;
  reply: string | undefined;
  readonly messages: Message[];
  readonly artifacts: Map<string, Artifact>;
  /** Where its prompt came from. */
  origin: Origin | undefined;
  /** The finished turn that this one continues. */
  continues: string | undefined;
  /** Its tool calls that are waiting for an answer. */
  readonly waiting: Map<string, WaitingCall>;
  /** The newest question, even after it was answered. */
  asked: WaitingCall | undefined;
  /** Messages that were read as answers, by id. A repeated message counts only once. */
  readonly answers: RecentMap<string, string>;
  /** Whether it includes every event since its first. */
  readonly isWhole: boolean;
  readonly firstSeq: number;
  lastSeq: number;
};

/** Tasks kept in memory per session. The oldest are dropped first. */
const maxTasks = 500;
/** Text kept per turn. The events have all of it. A task shows it twice, and gRPC clients accept 4 MiB per message. */
const maxText = 1024 * 1024;

/** Follows a session and keeps each of its turns as a task, for `tasks/get` and `tasks/list`. */
export class TaskBook<Source extends SessionView = SessionPort> {
  readonly #tasks = new Map<string, TaskRecord<Source>>();
  readonly #session: Source;
  /** Those that need nothing from the store. They stay complete, because every event is added. */
  readonly #complete = new WeakSet<TaskRecord<Source>>();
  /** The session has every event since this one. Of older events it has only what is still relevant. */
  readonly #from: number;

  constructor(session: Source) {
    this.#session = session;
    this.#from = session.oldestSeq;
    session.observe((event) => this.#onEvent(event));
  }

  get(id: string): TaskRecord<Source> | undefined {
    return this.#tasks.get(id);
  }

  /** The task that is waiting for an answer. There is at most one, since a session runs one turn at a time. */
  get asking(): TaskRecord<Source> | undefined {
    return [...this.#tasks.values()].findLast(({ waiting }) => waiting.size > 0);
  }

  /** The task whose tool call waits under this id or correlation id. */
  waitingFor(callId: string): TaskRecord<Source> | undefined {
    const isMeant = (call: WaitingCall): boolean => call.id === callId || call.correlationId === callId;
    return [...this.#tasks.values()].find(({ waiting }) => [...waiting.values()].some(isMeant));
  }

  /**
   * The complete task. Events that are no longer in memory are read from the store. Only tasks that are still in memory are
   * kept there.
   */
  async recall(id: string): Promise<TaskRecord<Source> | undefined> {
    const known = this.#tasks.get(id);
    if (known && this.#complete.has(known)) return known;
    const turn = await this.#session.turn(id);
    if (!turn) return known;
    if (known?.isWhole && known.firstSeq <= turn.first) return this.#completed(known);
    const task = await recordUntil(this.#session, id);
    if (!task || !known) return task;
    for (const event of this.#session.happenedAfter(task.lastSeq)) if (event.turnId === id) addEvent(task, event);
    // Keep the same object, because a stream may hold it, and keep what is not in the events.
    const { answers, continues } = known;
    return this.#completed(Object.assign(known, task, { answers, continues }));
  }

  #completed(task: TaskRecord<Source>): TaskRecord<Source> {
    this.#complete.add(task);
    return task;
  }

  #onEvent(event: SessionEvent): void {
    if (event.turnId === undefined) return;
    addEvent(this.#tasks.get(event.turnId) ?? this.#open(event.turnId, event), event);
  }

  #open(id: string, event: SessionEvent): TaskRecord<Source> {
    const task = newRecord(this.#session, id, event, event.seq >= this.#from);
    this.#tasks.set(id, task);
    if (this.#tasks.size > maxTasks) this.#forgetOldest();
    return task;
  }

  #forgetOldest(): void {
    const [oldest] = this.#tasks.keys();
    if (oldest !== undefined) this.#tasks.delete(oldest);
  }
}

/** The task built from its stored events up to `seq`. */
export async function recordUntil<Source extends SessionView>(
  session: Source,
  id: string,
  seq = Infinity,
): Promise<TaskRecord<Source> | undefined> {
  let task: TaskRecord<Source> | undefined;
  for await (const event of session.storedEventsOf(id)) {
    if (event.seq > seq) break;
    task ??= newRecord(session, id, event, true);
    addEvent(task, event);
  }
  return task;
}

export function newRecord<Source extends SessionView>(
  session: Source,
  id: string,
  { at, seq }: SessionEvent,
  isWhole: boolean,
): TaskRecord<Source> {
  return {
    id,
    session,
    contextId: session.id,
    isExtended: false,
    state: 'submitted',
    at,
    text: '',
    textLength: 0,
    answerEdges: new Set(),
    note: undefined,
    reply: undefined,
    messages: [],
    artifacts: new Map(),
    origin: undefined,
    continues: undefined,
    waiting: new Map(),
    asked: undefined,
    answers: new RecentMap(100),
    isWhole,
    firstSeq: seq,
    lastSeq: seq,
  };
}

export function addEvent(task: TaskRecord<SessionView>, event: SessionEvent): void {
  task.lastSeq = event.seq;
  switch (event.type) {
    case 'prompt':
      return onPrompt(task, event);
    case 'turn':
      return onTurn(task, event);
    case 'tool':
      return noteCall(task, event.call);
    case 'text':
      return addText(task, event);
    case 'reply':
      task.reply = event.text;
      return undefined;
    case 'artifact':
      return addArtifact(task, event);
    default:
      return undefined;
  }
}

function onPrompt(task: TaskRecord<SessionView>, event: SessionEvent & { type: 'prompt' }): void {
  // A queued prompt has two events. Without a message id, only the second one counts.
  if (event.queued !== undefined && event.messageId === undefined) return;
  if (task.messages.length === 0) task.contextId = event.contextId ?? task.contextId;
  if (event.isExtended) task.isExtended = true;
  const messageId = event.messageId ?? `${task.id}-${event.seq}`;
  if (task.messages.some((message) => message.messageId === messageId)) return;
  continueTask(task, event);
  task.origin = event.origin;
  task.messages.push(userMessage({ taskId: task.id, contextId: task.contextId, messageId }, event.text));
}

/** Another message arrives for a paused task. Earlier text moves to the history. */
function continueTask(task: TaskRecord<SessionView>, { seq, at }: SessionEvent): void {
  if (task.state !== 'input-required' || task.waiting.size > 0) return;
  const { id, contextId, text, messages } = task;
  const ids = { taskId: id, contextId, messageId: `${id}-answer-${messages.length}` };
  if (text !== '') messages.push(agentMessage(ids, [textPart(text)]));
  if (isAnswering(task)) task.answerEdges.add(seq);
  Object.assign(task, { state: 'submitted', at, text: '', textLength: 0, note: undefined });
}

function onTurn(task: TaskRecord<SessionView>, { seq, state, at, error }: SessionEvent & { type: 'turn' }): void {
  if (isTurnEnd(state) && isAnswering(task)) task.answerEdges.add(seq);
  Object.assign(task, { state: task.session.shown(state), at, note: error ?? task.note });
}

function noteCall(task: TaskRecord<SessionView>, call: ToolCall): void {
  if (call.status !== 'waiting') return void task.waiting.delete(call.id);
  task.asked = call;
  task.waiting.set(call.id, call);
}

function addText(task: TaskRecord<SessionView>, { seq, text }: SessionEvent & { type: 'text' }): void {
  if (!isAnswering(task)) task.answerEdges.add(seq);
  if (task.text.length < maxText) task.text += text;
  task.textLength += text.length;
}

function addArtifact(task: TaskRecord<SessionView>, { artifact, append }: SessionEvent & { type: 'artifact' }): void {
  const known = task.artifacts.get(artifact.id);
  const parts = append && known ? [...known.parts, ...artifact.parts] : artifact.parts;
  task.artifacts.set(artifact.id, { ...artifact, parts });
}

function isAnswering({ answerEdges }: TaskRecord<SessionView>): boolean {
  return answerEdges.size % 2 === 1;
}

/** Whether a reply was open before this event, so the event continues or ends it. */
export function hasAnswerBefore({ answerEdges }: TaskRecord<SessionView>, { type, seq }: SessionEvent): boolean {
  return type === 'text' ? !answerEdges.has(seq) : answerEdges.has(seq);
}

/** The unanswered questions of a task, oldest first. */
export function openIn({ waiting }: TaskRecord<SessionView>): readonly WaitingCall[] {
  return [...waiting.values()];
}

export type TaskReading = {
  /** Undefined means everything, 0 means nothing. */
  readonly historyLength?: number | undefined;
  /** Whether the reader supports the development-tool extension. */
  readonly isExtended: boolean;
};

/** What can still be shown of a task whose events are no longer kept. */
export function toBareTask({ id, contextId, state, at }: Pick<TaskRecord, 'id' | 'contextId' | 'state' | 'at'>): Task {
  const status = { state: toTaskState(state), timestamp: at, message: undefined };
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined };
}

/** The task as the protocol shows it, with what it waits for. */
export function toTask(task: TaskRecord<SessionView>, { historyLength, isExtended }: TaskReading): Task {
  const { id, contextId, state, at, text, note, continues } = task;
  const ids = { taskId: id, contextId };
  const said = text === '' ? [] : [agentMessage({ ...ids, messageId: `${id}-answer` }, [textPart(text)])];
  const history = [...task.messages, ...said];
  const open = openIn(task);
  const parts = open.length > 0 ? questionParts(open, isExtended).map(toWirePart) : note && [textPart(note)];
  const answer = text === '' ? [] : [answerArtifact(text)];
  return {
    id,
    contextId,
    status: {
      state: toTaskState(state),
      timestamp: at,
      message: parts ? agentMessage({ ...ids, messageId: `${id}-status` }, parts) : undefined,
    },
    artifacts: [...answer, ...task.artifacts.values()].map(toWireArtifact),
    history: historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength),
    metadata: continues === undefined ? undefined : { [extensionUri]: { continues } },
  };
}
