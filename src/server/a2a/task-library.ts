import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { AppError } from '../../domain/errors.js';
import { isTurnEnd, type Origin } from '../../domain/events.js';
import type { Confirmation } from '../../protocols/confirmation.js';
import type { Session } from '../../session/session.js';
import type { Sessions, SessionWishes } from '../../session/sessions.js';
import type { A2AMessage } from './read-message.js';
import { TaskBook, type TaskRecord } from './task-book.js';

/** Where a message goes, and how its client is told what comes of it. */
export type Target = {
  readonly session: Session;
  /** The task it names. */
  readonly task?: TaskRecord;
  /** What the client calls the session. */
  readonly contextId: string;
  /** The client speaks the development-tool extension. */
  readonly isExtended: boolean;
};

/** `isRepeat`: the same message was taken before, and this is the task it started. */
export type Delivered = { readonly task: TaskRecord; readonly isRepeat: boolean };

/** What libraries of the same server share. */
export type TaskBooks = WeakMap<Session, TaskBook>;

/** All tasks of all sessions that a caller may see. A task is one turn; its context is the session. */
export class TaskLibrary {
  readonly #sessions: Sessions;
  readonly #books: TaskBooks;

  constructor(sessions: Sessions, books: TaskBooks) {
    this.#sessions = sessions;
    this.#books = books;
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    for (const session of this.#sessions.all()) {
      const task = this.#book(session).get(id);
      if (task) return task;
    }
    const stored = await this.#sessions.ofTurn(id);
    return stored && this.#book(stored).get(id);
  }

  /** The tasks of a context, or of those that were used last; what is only stored is loaded. */
  async list(contextId: string): Promise<Iterable<TaskRecord>> {
    if (contextId !== '') {
      const session = await this.#sessions.get(contextId);
      return session ? this.#book(session).all() : [];
    }
    await this.#sessions.loadRecent?.();
    return this.#all();
  }

  *#all(): Iterable<TaskRecord> {
    for (const session of this.#sessions.all()) yield* this.#book(session).all();
  }

  /** Finds or opens what a message is for; throws the A2A error that says why it cannot be. */
  async target(message: A2AMessage, isNamed: boolean, wishes: SessionWishes): Promise<Target> {
    const { taskId, contextId, confirmations } = message;
    const usesExtension = isNamed || confirmations.length > 0;
    if (taskId === undefined) {
      const session = await this.#sessions.open(contextId, wishes);
      return { session, contextId: contextId ?? session.id, isExtended: usesExtension };
    }
    const named = await this.#sessions.get(taskId);
    if (named) {
      await this.#checkContext(named, message);
      return { session: named, contextId: contextId ?? taskId, isExtended: usesExtension };
    }
    const task = await this.get(taskId);
    if (!task) throw new TaskNotFoundError(`there is no task "${taskId}"`);
    const { session, state } = task;
    await this.#checkContext(session, message);
    const goesUnder = contextId ?? task.contextId;
    // The RFC names the extension in the first message only.
    const isExtended = usesExtension || task.isExtended;
    if (isTurnEnd(state) && !isExtended) {
      throw new UnsupportedOperationError({
        message: `task "${taskId}" is ${state}; go on with a new task in context "${goesUnder}"`,
        metadata: { contextId: goesUnder },
      });
    }
    return { session, task, contextId: goesUnder, isExtended };
  }

  async #checkContext(session: Session, { taskId, contextId }: A2AMessage): Promise<void> {
    if (contextId === undefined || contextId === session.id) return;
    if ((await this.#sessions.get(contextId)) === session) return;
    throw new RequestMalformedError(`task "${taskId}" belongs to context "${session.id}", not to "${contextId}"`);
  }

  /** Hands the message to the hub and returns the task it belongs to. */
  deliver({ session, task, contextId, isExtended }: Target, message: A2AMessage, origin: Origin): Delivered {
    const { confirmations, text, messageId } = message;
    if (confirmations.length > 0) return { task: this.#answer(session, confirmations, origin, task), isRepeat: false };
    const isPaused = task?.state === 'input-required' && task.waiting.size === 0;
    const { turnId, duplicate = false } = session.submit({
      kind: 'prompt',
      text,
      origin,
      messageId,
      ...(contextId === session.id ? {} : { contextId }),
      ...(isExtended ? { isExtended } : {}),
      ...(isPaused ? { turnId: task.id } : {}),
    });
    const started = this.#book(session).get(turnId);
    if (!started) throw new AppError('internal', `turn ${turnId} was not recorded`);
    if (task && task.id !== turnId && !duplicate) continueFrom(started, task.id);
    return { task: started, isRepeat: duplicate };
  }

  #answer(
    session: Session,
    confirmations: readonly Confirmation[],
    origin: Origin,
    task: TaskRecord | undefined,
  ): TaskRecord {
    const owners = confirmations.map(({ callId, answer }) => {
      const owner = this.#book(session).waitingFor(callId);
      if (owner && task && owner !== task)
        throw new AppError('bad-request', `tool call "${callId}" belongs to task "${owner.id}", not to "${task.id}"`);
      session.answer(callId, answer, origin);
      return owner;
    });
    const owner = owners.at(-1);
    if (!owner) throw new AppError('unknown-tool-call', 'the tool call belongs to no task');
    return owner;
  }

  #book(session: Session): TaskBook {
    const known = this.#books.get(session);
    if (known) return known;
    const book = new TaskBook(session);
    this.#books.set(session, book);
    return book;
  }
}

/** A2A 3.4.3: the new task names the one it goes on from. */
function continueFrom(task: TaskRecord, finished: string): void {
  task.continues = finished;
  task.messages.at(0)?.referenceTaskIds.push(finished);
}
