import { isTurnEnd } from '../domain/events.js';
import type { CosessionError } from './transport/cosession-error.js';
import { EventQueue } from './event-queue.js';
import type { TurnResult } from './turn-result.js';
import type { LoggedEvent } from './wire-event.js';
import { defined } from '../util/defined.js';

/** Collects the events of one turn until it ends. */
export class ClientTurn {
  readonly events: EventQueue<LoggedEvent> = new EventQueue<LoggedEvent>();
  readonly done: Promise<TurnResult>;
  /** A connection already delivers its events. */
  isFollowed = false;
  #finish: (result: TurnResult) => void = () => {};
  #fail: (error: CosessionError) => void = () => {};
  #text = '';

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    // If only the events are read, an unhandled rejection must not end the process.
    this.done.catch(() => {});
  }

  /** Returns whether the turn is over. */
  push(event: LoggedEvent): boolean {
    this.events.push(event);
    if (event.kind === 'TEXT_CONTENT') this.#text += event.content.text;
    if (event.kind !== 'STATE_CHANGE' || !isTurnEnd(event.state)) return false;
    const { state, error } = event;
    this.#finish({ state, text: this.#text, ...defined({ error }) });
    this.events.end();
    return true;
  }

  fail(error: CosessionError): void {
    this.#fail(error);
    this.events.end(error);
  }
}
