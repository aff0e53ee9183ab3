import { sessionTitle } from '../domain/short-text.js';
import { addUsage } from '../domain/total-usage.js';
import { defined } from '../util/defined.js';
import { isLogged, type LoggedEvent, type SnapshotEvent, type UserMessageEvent, type WireEvent } from './wire-event.js';
import { isOpenQuestion, type OpenQuestion } from './wire-tool-call.js';

type Queue = SnapshotEvent['queue'];

/** The state of the session, updated with each event: what a snapshot would say now. */
export class Mirror {
  #now: Omit<SnapshotEvent, 'pending' | 'seq'>;
  #seq: number;
  readonly #pending = new Map<string, OpenQuestion>();
  #turnId: string | undefined;

  constructor(snapshot: SnapshotEvent) {
    this.#now = snapshot;
    this.#seq = snapshot.seq;
    this.#restore(snapshot);
  }

  get snapshot(): SnapshotEvent {
    return { ...this.#now, pending: [...this.#pending.values()], seq: this.#seq };
  }

  apply(event: WireEvent): void {
    if (event.kind === 'SNAPSHOT') this.#restore(event);
    else if (event.kind === 'CLIENTS') {
      const { moreClients: _before, ...now } = this.#now;
      this.#now = { ...now, clients: event.clients, ...defined({ moreClients: event.moreClients }) };
    }
    // What is replayed after a snapshot is older than the state.
    else if (isLogged(event) && event.seq > this.#seq) this.#add(event);
  }

  /** Removes a question that is known to be answered before its event arrives. The id may be the call's or the question's. */
  settle(id: string): void {
    for (const [callId, { metadata }] of this.#pending) {
      if (callId === id || metadata.correlationId === id) this.#pending.delete(callId);
    }
  }

  #add(event: LoggedEvent): void {
    this.#seq = event.seq;
    switch (event.kind) {
      case 'SETTINGS': {
        const { model, approvalMode } = event;
        return this.#set({ model, ...defined({ approvalMode }) });
      }
      case 'USAGE':
        return this.#set({ usage: addUsage(this.#now.usage, event.usage) });
      case 'USER_MESSAGE':
        return this.#set({ title: this.#now.title ?? sessionTitle(event.content.text), queue: this.#queueWith(event) });
      case 'STATE_CHANGE': {
        const { state, final, turnId } = event;
        const queue = without(this.#now.queue, turnId);
        // A prompt that was taken back from the queue does not change the state of the running turn.
        const isOther =
          queue.length < this.#now.queue.length || (this.#turnId !== undefined && turnId !== this.#turnId);
        if (final && isOther) return this.#set({ queue });
        this.#turnId = final ? undefined : turnId;
        return this.#set({ queue, state });
      }
      case 'TOOL_CALL_UPDATE':
        if (isOpenQuestion(event)) this.#pending.set(event.tool_call_id, event);
        else this.#pending.delete(event.tool_call_id);
        return undefined;
      default:
        return undefined;
    }
  }

  #queueWith({ turnId, queued, content: { text }, origin }: UserMessageEvent): Queue {
    const queue = without(this.#now.queue, turnId);
    return queued === undefined || turnId === undefined
      ? queue
      : [...queue, { turnId, text, origin, position: queue.length + 1 }];
  }

  #set(news: Partial<SnapshotEvent>): void {
    this.#now = { ...this.#now, ...news };
  }

  #restore(snapshot: SnapshotEvent): void {
    const { pending, seq, history: _history, ...now } = snapshot;
    this.#now = now;
    this.#seq = seq;
    this.#turnId = undefined;
    this.#pending.clear();
    for (const call of pending) this.#pending.set(call.tool_call_id, call);
  }
}

function without(queue: Queue, turnId: string | undefined): Queue {
  if (!queue.some((item) => item.turnId === turnId)) return queue;
  return queue.filter((item) => item.turnId !== turnId).map((item, index) => ({ ...item, position: index + 1 }));
}
