import { weightOf } from '../../../domain/event-weight.js';
import type { Agent, SessionEvent } from '../../../domain/events.js';
import type { TextWriter } from '../../../dialects/a2a/text-writer.js';
import { toUpdates, type Update, type UpdateOptions } from '../../../dialects/a2a/updates.js';
import { hasAnswerBefore, openIn, type TaskRecord } from '../tasks/task-book.js';

/** The facts about a reader that change what it is sent. */
export type Audience = {
  readonly task: TaskRecord;
  /** The reader's name for the task's context. */
  readonly contextId: string;
  readonly isExtended: boolean;
  /** The last event of the same turn that was sent. */
  readonly previous: SessionEvent | undefined;
};

/** Text, or the bytes of a message. */
type Sized = { readonly length: number };

type Written<T> = { readonly event: SessionEvent; readonly written: readonly T[]; readonly weight: number };

/** How many written events are kept, and how much they may weigh. Clients that follow a task live are far fewer behind. */
const kept = 128;
const keptWeight = 1024 * 1024;

/** How a transport of one version writes. */
export type FormOptions<T> = {
  readonly write: (update: Update) => T;
  /** A faster version for the text of one task. */
  readonly textWriter: (options: UpdateOptions) => TextWriter<T>;
};

/** What a transport of one version sends. An event is written once for all clients that read this form. */
export class Form<T extends Sized> {
  readonly #extended: Variant<T>;
  readonly #plain: Variant<T>;

  constructor(options: FormOptions<T>) {
    this.#extended = new Variant(options, true);
    this.#plain = new Variant(options, false);
  }

  of(event: SessionEvent, audience: Audience): readonly T[] {
    return (audience.isExtended ? this.#extended : this.#plain).of(event, audience);
  }
}

/** A form with the extension, or without it. */
class Variant<T extends Sized> {
  readonly #options: FormOptions<T>;
  readonly #isExtended: boolean;
  readonly #recent: (Written<T> | undefined)[] = Array.from({ length: kept }, () => undefined);
  #weight = 0;
  readonly #textWriters = new WeakMap<TaskRecord, { readonly agent: Agent; readonly write: TextWriter<T> }>();

  constructor(options: FormOptions<T>, isExtended: boolean) {
    this.#options = options;
    this.#isExtended = isExtended;
  }

  of(event: SessionEvent, audience: Audience): readonly T[] {
    // A reader with its own name for the context bypasses the cache, so it costs the others nothing.
    if (audience.contextId !== audience.task.contextId) return this.#write(event, audience);
    const slot = event.seq % kept;
    const known = this.#recent[slot];
    if (known?.event === event) return known.written;
    const written = this.#write(event, audience);
    // States are not cached, because what is sent depends on what was sent before.
    if (event.type !== 'turn') this.#keep(slot, event, written);
    return written;
  }

  /** When the cache is full it is emptied. That is simple and happens only after many events or a very large one. */
  #keep(slot: number, event: SessionEvent, written: readonly T[]): void {
    const weight = written.reduce((sum, { length }) => sum + length, weightOf(event));
    this.#weight += weight - (this.#recent[slot]?.weight ?? 0);
    if (this.#weight > keptWeight) {
      this.#recent.fill(undefined);
      this.#weight = weight;
    }
    this.#recent[slot] = { event, written, weight };
  }

  #write(event: SessionEvent, audience: Audience): readonly T[] {
    const { task, contextId, previous } = audience;
    const hasAnswer = hasAnswerBefore(task, event);
    const isMoreText = event.type === 'text' && (this.#isExtended || hasAnswer);
    if (isMoreText && contextId === task.contextId) return [this.#textWriterOf(audience)(event)];
    const updates = toUpdates(event, optionsOf(audience), { hasAnswer, previous, waiting: openIn(task) });
    return updates.map(this.#options.write);
  }

  #textWriterOf(audience: Audience): TextWriter<T> {
    const { task } = audience;
    const { agent } = task.session;
    const known = this.#textWriters.get(task);
    // A session makes a new object each time it is asked.
    if (known && isSameAgent(known.agent, agent)) return known.write;
    const write = this.#options.textWriter(optionsOf(audience));
    this.#textWriters.set(task, { agent, write });
    return write;
  }
}

function isSameAgent(a: Agent, b: Agent): boolean {
  return a.model === b.model && a.userTier === b.userTier;
}

function optionsOf({ task, contextId, isExtended }: Audience): UpdateOptions {
  const { agent, shown } = task.session;
  return { taskId: task.id, contextId, agent, isExtended, shown };
}
