import type { TurnState } from '../domain/events.js';
import type { SnapshotEvent, StateChangeEvent, WireEvent } from './wire-event.js';
import { isOpenQuestion, type OpenQuestion } from './wire-tool-call.js';

/** The state of the session, updated with each event. */
export class Mirror {
  readonly #taskId: string;
  readonly #pending = new Map<string, OpenQuestion>();
  #state: TurnState = 'submitted';
  #model = '';
  #seq = 0;
  #turnId: string | undefined;

  constructor(snapshot: SnapshotEvent) {
    this.#taskId = snapshot.taskId;
    this.#restore(snapshot);
  }

  get snapshot(): SnapshotEvent {
    const pending = [...this.#pending.values()];
    return {
      kind: 'SNAPSHOT',
      state: this.#state,
      pending,
      model: this.#model,
      seq: this.#seq,
      taskId: this.#taskId,
    };
  }

  apply(event: WireEvent): void {
    if (event.kind === 'SNAPSHOT') return this.#restore(event);
    // What is replayed after a snapshot is older than the state.
    if (event.kind === 'RESYNC_REQUIRED' || event.seq <= this.#seq) return;
    this.#seq = event.seq;
    if (event.kind === 'SETTINGS') this.#model = event.model;
    else if (event.kind === 'STATE_CHANGE') this.#onState(event);
    else if (event.kind === 'TOOL_CALL_UPDATE') {
      const { tool_call_id: id } = event;
      if (isOpenQuestion(event)) this.#pending.set(id, event);
      else this.#pending.delete(id);
    }
  }

  /** Removes a question that is known to be answered before its event arrives. The id may be the call's or the question's. */
  settle(id: string): void {
    for (const [callId, { metadata }] of this.#pending) {
      if (callId === id || metadata.correlationId === id) this.#pending.delete(callId);
    }
  }

  /** Cancelling a queued turn does not change the state of the running one. */
  #onState({ state, final, turnId }: StateChangeEvent): void {
    if (final && this.#turnId !== undefined && turnId !== this.#turnId) return;
    this.#turnId = final ? undefined : turnId;
    this.#state = state;
  }

  #restore({ state, pending, model, seq }: SnapshotEvent): void {
    this.#state = state;
    this.#model = model;
    this.#seq = seq;
    this.#turnId = undefined;
    this.#pending.clear();
    for (const call of pending) this.#pending.set(call.tool_call_id, call);
  }
}
