import type { SessionEvent } from '../domain/events.js';
import type { Store } from '../stores/store.js';
import { type Bus, maxMessage } from './bus/bus.js';
import { toText } from './message.js';

export type PublishedStore = {
  readonly store: Store;
  /** Sends now what is stored. */
  flush(): void;
};

/** The same store. Events are published as soon as it has them, those of one tick together. */
export function publishedStore(
  store: Store,
  bus: Pick<Bus, 'publish'>,
  onPublished: (taskId: string, events: readonly SessionEvent[]) => void,
): PublishedStore {
  const waiting = new Map<string, SessionEvent[]>();
  let timer: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(timer);
    timer = undefined;
    for (const [taskId, events] of waiting) {
      bus.publish(taskId, newsOf(events));
      onPublished(taskId, events);
    }
    waiting.clear();
  };
  const add = (event: SessionEvent): void => {
    const known = waiting.get(event.sessionId);
    if (known) known.push(event);
    else waiting.set(event.sessionId, [event]);
    timer ??= setImmediate(flush);
  };
  return {
    flush,
    store: {
      ...store,
      append(event) {
        const stored = store.append(event);
        // The caller of `append` gets the failure.
        stored.then(
          () => add(event),
          () => undefined,
        );
        return stored;
      },
    },
  };
}

function newsOf(events: readonly SessionEvent[]): string {
  const text = toText({ events });
  return Buffer.byteLength(text) <= maxMessage ? text : toText({ until: events.at(-1)?.seq ?? 0 });
}
