import type { SessionEvent } from '../domain/events.js';
import type { WaitingCall } from '../domain/tool-call.js';

/** The open questions as sent to clients: a very long one is cut and says where the whole is. */
export class SentQuestions {
  readonly #calls = new Map<string, WaitingCall>();

  note(event: SessionEvent): void {
    if (event.type !== 'tool') return;
    const { call } = event;
    if (call.status === 'waiting') this.#calls.set(call.id, call);
    else this.#calls.delete(call.id);
  }

  of(call: WaitingCall): WaitingCall {
    return this.#calls.get(call.id) ?? call;
  }
}
