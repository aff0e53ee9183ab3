import type { SessionEvent, WhenDone } from '../../domain/events.js';
import { toldState } from '../../protocols/a2a/turn-end.js';
import { type Past, toUpdates, type Update } from '../../protocols/a2a/updates.js';
import type { TaskRecord } from './task-book.js';

/** Who is told of an event, as far as it changes what is told. */
export type Audience = {
  readonly task: TaskRecord;
  readonly isExtended: boolean;
  readonly past: Past;
};

type Told<T> = { readonly event: SessionEvent; readonly isExtended: boolean; readonly written: readonly T[] };

/** Events whose written form is kept; all who follow a task live read within far fewer. */
const kept = 128;

/** How a transport of one version writes updates. An event is written once, for all who read it in this form. */
export class Form<T> {
  readonly #write: (update: Update) => T;
  readonly #recent: (Told<T> | undefined)[] = Array.from({ length: kept }, () => undefined);

  constructor(write: (update: Update) => T) {
    this.#write = write;
  }

  of(event: SessionEvent, audience: Audience): readonly T[] {
    const { isExtended } = audience;
    const slot = event.seq % kept;
    const known = this.#recent[slot];
    if (known?.event === event && known.isExtended === isExtended) return known.written;
    const written = updatesOf(event, audience).map(this.#write);
    // What a plain reader is told of a state depends on what it was told before.
    if (isExtended || event.type !== 'turn') this.#recent[slot] = { event, isExtended, written };
    return written;
  }
}

function updatesOf(event: SessionEvent, { task, isExtended, past }: Audience): Update[] {
  const { id: contextId, agent, turnEnd } = task.session;
  const updates = toUpdates(event, { taskId: task.id, contextId, agent, isExtended }, past);
  return event.type === 'turn' ? updates.map((update) => withTurnEnd(update, turnEnd)) : updates;
}

function withTurnEnd(update: Update, turnEnd: WhenDone): Update {
  return update.type === 'status' ? { ...update, state: toldState(update.state, turnEnd) } : update;
}
