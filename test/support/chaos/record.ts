import type { Told } from './told.js';

/** Everything that was told of one task in all lives of the server, by its number: said again, it must be the same. */
export class StreamRecord {
  /** By call id, as last told. */
  readonly calls = new Map<string, Told>();
  readonly #events: Told[] = [];
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();

  get events(): readonly Told[] {
    return this.#events;
  }

  /** Turns that were told and have not ended. */
  get openTurns(): readonly string[] {
    return [...this.#open];
  }

  /** The ids of calls that wait for an answer. */
  get pending(): readonly string[] {
    return [...this.calls].flatMap(([id, call]) => (call.confirmation_request === undefined ? [] : [id]));
  }

  /** The events with which turns ended. */
  get ends(): readonly Told[] {
    return this.#events.filter(({ final }) => final === true);
  }

  hasEnded(turnId: string): boolean {
    return this.#ended.has(turnId);
  }

  of(turnId: string | undefined): readonly Told[] {
    return this.#events.filter((event) => event.turnId === turnId);
  }

  /** Undefined when it is news, or what was told before. */
  note(event: Told, seq: number): string | undefined {
    const before = this.#events[seq - 1];
    if (before)
      return JSON.stringify(before) === JSON.stringify(event)
        ? undefined
        : `event ${JSON.stringify(before)} became ${JSON.stringify(event)}`;
    this.#events[seq - 1] = event;
    const { kind, turnId = '', tool_call_id: callId = '', final } = event;
    if (kind === 'USER_MESSAGE' && !this.#ended.has(turnId)) this.#open.add(turnId);
    if (kind === 'TOOL_CALL_UPDATE') this.calls.set(callId, event);
    if (final === true) {
      this.#open.delete(turnId);
      this.#ended.add(turnId);
    }
    return undefined;
  }
}
