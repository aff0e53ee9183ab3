import type { SessionEvent } from '../../domain/events.js';
import type { Resolution, ToolCall } from '../../domain/tool-call.js';
import { RecentMap } from '../../util/recent-map.js';

const remembered = 10_000;

/** Every event of an answered call repeats its answer. This finds each answer once. */
export class NewAnswers {
  readonly #seen = new RecentMap<string, true>(remembered);

  /** The call, if the event is the first that says how it was answered. */
  in(event: SessionEvent): (ToolCall & { readonly resolution: Resolution }) | undefined {
    if (event.type !== 'tool') return undefined;
    const { call } = event;
    const { resolution } = call;
    if (!resolution) return undefined;
    const key = `${event.sessionId} ${call.id} ${resolution.at}`;
    const isNew = !this.#seen.has(key);
    this.#seen.set(key, true);
    return isNew ? { ...call, resolution } : undefined;
  }
}
