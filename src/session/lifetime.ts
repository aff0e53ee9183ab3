import { setMaxListeners } from 'node:events';
import { AppError } from '../domain/errors.js';

/** Whether a session still accepts work, and when it ends for its clients. */
export class Lifetime {
  readonly #end = new AbortController();
  #isSuspended = false;
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
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
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

export function beingUnloaded(): AppError {
  return new AppError('not-ready', 'the task is being unloaded; try again');
}
