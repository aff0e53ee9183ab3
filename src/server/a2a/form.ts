import type { Agent, SessionEvent, WhenDone } from '../../domain/events.js';
import type { TextWriter } from '../../protocols/a2a/text-writer.js';
import { toldState } from '../../protocols/a2a/turn-end.js';
import { type Past, toUpdates, type Update, type UpdateOptions } from '../../protocols/a2a/updates.js';
import type { TaskRecord } from './task-book.js';

/** Who is told of an event, as far as it changes what is told. */
export type Audience = {
  readonly task: TaskRecord;
  /** What the reader calls the task's context. */
  readonly contextId: string;
  readonly isExtended: boolean;
  readonly past: Past;
};

type Told<T> = { readonly event: SessionEvent; readonly isExtended: boolean; readonly written: readonly T[] };

/** Events whose written form is kept; all who follow a task live read within far fewer. */
const kept = 128;

/** How a transport of one version writes. */
export type FormOptions<T> = {
  readonly write: (update: Update) => T;
  /** The same for the text of one task, faster. */
  readonly textWriter: (options: UpdateOptions) => TextWriter<T>;
};

/** What a transport of one version sends. An event is written once, for all who read it in this form. */
export class Form<T> {
  readonly #options: FormOptions<T>;
  readonly #recent: (Told<T> | undefined)[] = Array.from({ length: kept }, () => undefined);
  readonly #textWriters = new WeakMap<TaskRecord, { readonly agent: Agent; readonly write: TextWriter<T> }>();

  constructor(options: FormOptions<T>) {
    this.#options = options;
  }

  of(event: SessionEvent, audience: Audience): readonly T[] {
    const { isExtended, task, contextId } = audience;
    // A reader with a name of its own for the context costs the others nothing.
    if (contextId !== task.contextId) return this.#write(event, audience);
    const slot = event.seq % kept;
    const known = this.#recent[slot];
    if (known?.event === event && known.isExtended === isExtended) return known.written;
    const written = this.#write(event, audience);
    // What a plain reader is told of a state depends on what it was told before.
    if (isExtended || event.type !== 'turn') this.#recent[slot] = { event, isExtended, written };
    return written;
  }

  #write(event: SessionEvent, audience: Audience): readonly T[] {
    const { task, contextId, isExtended, past } = audience;
    if (event.type === 'text' && isExtended && contextId === task.contextId)
      return [this.#textWriterOf(audience)(event)];
    const updates = toUpdates(event, optionsOf(audience), past);
    const { turnEnd } = task.session;
    const told = event.type === 'turn' ? updates.map((update) => withTurnEnd(update, turnEnd)) : updates;
    return told.map(this.#options.write);
  }

  #textWriterOf(audience: Audience): TextWriter<T> {
    const { task } = audience;
    const { agent } = task.session;
    const known = this.#textWriters.get(task);
    if (known?.agent === agent) return known.write;
    const write = this.#options.textWriter(optionsOf(audience));
    this.#textWriters.set(task, { agent, write });
    return write;
  }
}

function optionsOf({ task, contextId, isExtended }: Audience): UpdateOptions {
  return { taskId: task.id, contextId, agent: task.session.agent, isExtended };
}

function withTurnEnd(update: Update, turnEnd: WhenDone): Update {
  return update.type === 'status' ? { ...update, state: toldState(update.state, turnEnd) } : update;
}
