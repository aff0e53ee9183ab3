import { setMaxListeners } from 'node:events';
import { AppError } from '../domain/errors.js';

/** Whether a session still accepts work, and when it ends for its clients. */
export class Lifetime {
  readonly #end = new AbortController();
  #isSuspended = false;
  #isHeld = false;
  #isDraining = false;

  constructor() {
    // Every client and stream listens. Node would report the eleventh listener as a leak, in the terminal.
    setMaxListeners(0, this.#end.signal);
  }

  /** Aborts once no more events will follow here; its reason is the error that says why. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Events from the engine are ignored. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Running turns may finish; no new turn starts. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** What is accepted from now on waits for the next server. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Nothing more is accepted: nobody knows when the next server starts. */
  drain(): void {
    this.hold();
    this.#isDraining = true;
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  end(why: AppError): void {
    this.#end.abort(why);
  }

  /** Throws when suspended: another session continues the task, and anything accepted here would be lost. */
  checkAwake(): void {
    if (this.#isSuspended) throw beingUnloaded();
  }

  checkTakesWork(): void {
    if (this.#isDraining)
      throw new AppError('shutting-down', 'the server is shutting down; send the message again to its successor');
  }
}

class BeingUnloaded extends AppError {
  constructor() {
    super('not-ready', 'the task is being unloaded; try again');
  }
}

export function beingUnloaded(): AppError {
  return new BeingUnloaded();
}

export function isBeingUnloaded(error: unknown): boolean {
  return error instanceof BeingUnloaded;
}

class HandedOver extends AppError {
  constructor() {
    super('task-elsewhere', 'another server continues the task; connect again', { details: { retryAfter: 0 } });
  }
}

/** Why a session ends here while another server continues it. Its clients need only connect again, with their cursor. */
export function handedOver(): AppError {
  return new HandedOver();
}

export function isHandedOver(error: unknown): boolean {
  return error instanceof HandedOver;
}
