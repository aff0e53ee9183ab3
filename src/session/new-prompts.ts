import type { SessionEvent } from '../domain/events.js';
import { RecentMap } from '../util/recent-map.js';
import type { PromptEvent } from './recall.js';

/** More than a session may queue. */
const maxWaiting = 1000;

/** A prompt that waits is published again when its turn starts. This finds each prompt once, in the events of one session. */
export class NewPrompts {
  readonly #waiting = new RecentMap<string, true>(maxWaiting);

  /** The event, if it is the first of its prompt. */
  in(event: SessionEvent): PromptEvent | undefined {
    const { turnId = '' } = event;
    if (event.type === 'turn' && event.state !== 'submitted') this.#waiting.delete(turnId);
    if (event.type !== 'prompt') return undefined;
    if (event.queued !== undefined) this.#waiting.set(turnId, true);
    else if (this.#waiting.delete(turnId)) return undefined;
    return event;
  }
}
