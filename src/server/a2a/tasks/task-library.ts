import { isDeepStrictEqual } from 'node:util';
import type { Task } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { AppError } from '../../../domain/errors.js';
import { isTurnEnd, type Origin } from '../../../domain/events.js';
import type { WaitingCall } from '../../../domain/tool-call.js';
import { answerInWords } from '../../../dialects/shared/answer-in-words.js';
import type { Confirmation } from '../../../dialects/shared/confirmation.js';
import type { TurnQuery } from '../../../tasks/server-tasks.js';
import { SessionPort } from '../../../session/session-port.js';
import { sessionIdOf, type Sessions, type SessionWishes } from '../../../tasks/sessions.js';
import type { SessionView } from '../../../tasks/stored-session.js';
import type { A2AMessage } from './read-message.js';
import { openIn, TaskBook, type TaskRecord, type TaskReading, toBareTask, toTask } from './task-book.js';

/** Where a message goes, and in which form its client gets the result. */
export type MessageTarget = {
  readonly session: SessionPort;
  /** The task it names. */
  readonly task?: TaskRecord;
  /** The client's name for the session. */
  readonly contextId: string;
  /** Whether the client uses the development-tool extension. */
  readonly isExtended: boolean;
};

/** `isRepeat` means that the same message was accepted before, and this is the task it started. */
export type Delivered = { readonly task: TaskRecord; readonly isRepeat: boolean };

/** `isAnswer` means that the message answers a question. The caller's scope for that was checked. */
type Delivery = A2AMessage & { readonly isAnswer: boolean };

/** One page. `total` counts all pages. */
export type ListedTasks = {
  readonly tasks: readonly Task[];
  readonly total: number;
  readonly nextPageToken?: string;
};

/** Shared by all libraries of a server. */
export type TaskBooks = WeakMap<SessionPort, TaskBook>;

export function bookOf(books: TaskBooks, session: SessionPort): TaskBook {
  const known = books.get(session);
  if (known) return known;
  const book = new TaskBook(session);
  books.set(session, book);
  return book;
}

/** All tasks of all sessions that a caller may see. A task is one turn; its context is the session. */
export class TaskLibrary {
  readonly #sessions: Sessions;
  readonly #books: TaskBooks;

  constructor(sessions: Sessions, books: TaskBooks) {
    this.#sessions = sessions;
    this.#books = books;
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const session = this.#loadedTask(id)?.session ?? (await this.#sessions.ofTurn(id));
    await session?.refresh();
    return session && this.#book(session).recall(id);
  }

  /** For reading only. Loads no session. */
  async read(id: string): Promise<TaskRecord<SessionView> | undefined> {
    const loaded = this.#loadedTask(id);
    await loaded?.session.refresh();
    const book = loaded ? this.#book(loaded.session) : await this.#bookFor(sessionIdOf(id));
    return book?.recall(id);
  }

  /** A page of the tasks of one context or of all, on every server that shares the store. Skips tasks deleted meanwhile. */
  async list(query: TurnQuery, view: TaskReading): Promise<ListedTasks> {
    const { turns, ...page } = await this.#sessions.turns(query);
    const books = new Map<string, TaskBook<SessionView> | undefined>();
    const tasks: Task[] = [];
    for (const turn of turns) {
      const { taskId: contextId } = turn;
      if (!books.has(contextId)) books.set(contextId, await this.#bookFor(contextId));
      const book = books.get(contextId);
      const found = await book?.recall(turn.id);
      if (found) tasks.push(toTask(found, view));
      // The memory store does not keep all events.
      else if (book) tasks.push(toBareTask({ contextId, ...turn }));
    }
    return { ...page, tasks };
  }

  /** The tasks of a session, whichever server runs it. */
  async #bookFor(sessionId: string): Promise<TaskBook<SessionView> | undefined> {
    const view = sessionId === '' ? undefined : await this.#sessions.view(sessionId);
    return view instanceof SessionPort ? this.#book(view) : view && new TaskBook(view);
  }

  /** Whether a message answers a question of a task in memory instead of being a prompt. Loads and opens nothing. */
  async isAnswer(message: A2AMessage, origin: Origin): Promise<boolean> {
    const { confirmations, taskId, contextId, text } = message;
    if (confirmations.length > 0) return true;
    const id = taskId ?? contextId;
    const session = id === undefined ? undefined : await this.#loaded(id);
    await session?.refresh();
    const task = session ? this.#book(session).asking : taskId === undefined ? undefined : this.#loadedTask(taskId);
    if ((session ?? task?.session)?.answeredIn(message) !== undefined) return true;
    if (!task) return false;
    return taskId === undefined ? answersOwnQuestion(task, text, origin) : isForQuestion(task, text);
  }

  /** Finds or opens the target of a message. Throws an A2A error with the reason if there can be none. */
  async target(message: Delivery, isNamed: boolean, wishes: SessionWishes): Promise<MessageTarget> {
    const { taskId, contextId, confirmations, isAnswer } = message;
    const usesExtension = isNamed || confirmations.length > 0;
    if (taskId === undefined) {
      const session = await this.#sessions.open(contextId, { ...wishes, promptFollows: !isAnswer });
      const running = isAnswer ? this.#running(session) : {};
      return { session, ...running, contextId: contextId ?? session.id, isExtended: usesExtension };
    }
    // Most messages name a turn in memory, about which the store need not be asked.
    const isTurn = !(await this.#loaded(taskId)) && this.#loadedTask(taskId) !== undefined;
    const named = isTurn ? undefined : await this.#sessions.get(taskId);
    if (named) {
      await this.#checkContext(named, message);
      return { session: named, ...this.#running(named), contextId: contextId ?? taskId, isExtended: usesExtension };
    }
    const task = await this.get(taskId);
    if (!task) throw new TaskNotFoundError(`Task not found: "${taskId}"`);
    const { session, state } = task;
    await this.#checkContext(session, message);
    const goesUnder = contextId ?? task.contextId;
    // In the RFC, only the first message names the extension.
    const isExtended = usesExtension || task.isExtended;
    if (isTurnEnd(state) && !isExtended && session.answeredIn(message) === undefined) {
      throw new UnsupportedOperationError({
        message: `task "${taskId}" is ${state}; continue with a new task in context "${goesUnder}"`,
        metadata: { contextId: goesUnder },
      });
    }
    return { session, task, contextId: goesUnder, isExtended };
  }

  async #checkContext(session: SessionPort, { taskId, contextId }: A2AMessage): Promise<void> {
    if (contextId === undefined || contextId === session.id) return;
    if ((await this.#sessions.get(contextId)) === session) return;
    throw new RequestMalformedError(`task "${taskId}" belongs to context "${session.id}", not to "${contextId}"`);
  }

  /** Hands the message to the hub and returns the task it belongs to. */
  async deliver(
    { session, task, contextId, isExtended }: MessageTarget,
    message: Delivery,
    origin: Origin,
  ): Promise<Delivered> {
    const { confirmations, text, messageId, isAnswer } = message;
    if (confirmations.length > 0) return this.#answer(session, confirmations, origin, task);
    if (isAnswer) return (await this.#repeated(session, message, task)) ?? this.#answerInWords(task, message, origin);
    const isPaused = task?.state === 'input-required' && task.waiting.size === 0;
    const { turnId, duplicate = false } = await session.send({
      kind: 'prompt',
      text,
      origin,
      messageId,
      ...(contextId === session.id ? {} : { contextId }),
      ...(isExtended ? { isExtended } : {}),
      ...(isPaused ? { turnId: task.id } : {}),
    });
    const book = this.#book(session);
    const started = duplicate ? await book.recall(turnId) : book.get(turnId);
    if (!started) throw new AppError('internal', `turn ${turnId} was not recorded`);
    if (task && task.id !== turnId && !duplicate) continueFrom(started, task.id);
    return { task: started, isRepeat: duplicate };
  }

  /** A session's id names its running turn if that turn is waiting for an answer. */
  #running(session: SessionPort): Pick<MessageTarget, 'task'> {
    const task = this.#book(session).asking;
    return task ? { task } : {};
  }

  /** The answer that this message gave before, perhaps before a restart. A repeat must not answer another question. */
  async #repeated(
    session: SessionPort,
    message: A2AMessage,
    named: TaskRecord | undefined,
  ): Promise<Delivered | undefined> {
    const callId = session.answeredIn(message);
    if (callId === undefined) return undefined;
    const turnId = session.answerTo(callId)?.turnId;
    const task = turnId === undefined ? named : await this.#book(session).recall(turnId);
    return task && { task, isRepeat: true };
  }

  /** Text that is not an answer changes nothing. The task is shown again with its question. */
  async #answerInWords(
    task: TaskRecord | undefined,
    { messageId, text }: A2AMessage,
    origin: Origin,
  ): Promise<Delivered> {
    if (!task) throw new AppError('unknown-tool-call', 'the question was answered while the message was on its way');
    const known = task.answers.get(messageId);
    if (known !== undefined && known !== text)
      throw new AppError('bad-request', `message "${messageId}" was sent before with other words`);
    task.answers.set(messageId, text);
    const answer = known === undefined ? answerInWords(text, questionsFor(task)) : undefined;
    if (!answer) return { task, isRepeat: false };
    const keyed = { ...answer.answer, answerId: messageId, words: text };
    return this.#answer(task.session, [{ callId: answer.callId, answer: keyed }], origin, task);
  }

  async #answer(
    session: SessionPort,
    confirmations: readonly Confirmation[],
    origin: Origin,
    task: TaskRecord | undefined,
  ): Promise<Delivered> {
    const book = this.#book(session);
    const answering = confirmations.map(async ({ callId, answer }) => {
      // A repeated answer belongs to a tool call that is no longer waiting.
      const askerId = book.waitingFor(callId)?.id ?? session.answerTo(callId)?.turnId;
      if (askerId !== undefined && task && askerId !== task.id)
        throw new AppError('bad-request', `tool call "${callId}" belongs to task "${askerId}", not to "${task.id}"`);
      const { duplicate = false } = await session.sendAnswer(callId, answer, origin);
      return { askerId, duplicate };
    });
    const answered = await Promise.all(answering);
    const askerId = answered.at(-1)?.askerId ?? '';
    const asker = book.get(askerId) ?? (await book.recall(askerId));
    if (!asker) throw new AppError('unknown-tool-call', 'the tool call belongs to no task');
    return { task: asker, isRepeat: answered.every(({ duplicate }) => duplicate) };
  }

  /** The session with this id or name, if it is in memory. */
  async #loaded(id: string): Promise<SessionPort | undefined> {
    if (this.#sessions.shared) return this.#sessions.get(id);
    return this.#sessions.peek(id);
  }

  #loadedTask(id: string): TaskRecord | undefined {
    const session = this.#sessions.shared ?? this.#sessions.peek(sessionIdOf(id));
    return session && this.#book(session).get(id);
  }

  #book(session: SessionPort): TaskBook {
    return bookOf(this.#books, session);
  }
}

/**
 * Whether text for this task is read as an answer: a tool call is waiting, or the text answers one that somebody else has
 * just answered. Such text is never queued behind a question or sent to the model.
 */
function isForQuestion(task: TaskRecord, text: string): boolean {
  if (task.waiting.size > 0) return true;
  const { asked, state } = task;
  return (
    state === 'working' && asked !== undefined && !isOpenEnded(asked) && answerInWords(text, [asked]) !== undefined
  );
}

/**
 * A message that names only the context is normally a prompt. It is an answer if the client that started this turn sends
 * text that answers its only question, because some clients never name the task.
 */
function answersOwnQuestion(task: TaskRecord, text: string, origin: Origin): boolean {
  return (
    task.waiting.size === 1 && isDeepStrictEqual(task.origin, origin) && answerInWords(text, openIn(task)) !== undefined
  );
}

/** The open questions. If there are none, the last one asked, so a late answer is refused with who was first. */
function questionsFor(task: TaskRecord): readonly WaitingCall[] {
  const open = openIn(task);
  return open.length === 0 && task.asked ? [task.asked] : open;
}

/** Any text could be the answer. */
function isOpenEnded({ approval }: WaitingCall): boolean {
  return approval.details.kind === 'questions' || approval.details.kind === 'plan';
}

/** A2A 3.4.3: the new task names the one it continues. */
function continueFrom(task: TaskRecord, finished: string): void {
  task.continues = finished;
  task.messages.at(0)?.referenceTaskIds.push(finished);
}
