import { setMaxListeners } from 'node:events';
import { AppError } from '../domain/errors.js';

/** How long a session is there for its clients. */
export class Lifetime {
  readonly #end = new AbortController();
  #isSuspended = false;
  #isDraining = false;

  constructor() {
    // Every client and stream listens; Node would take the eleventh for a leak and write so into the terminal.
    setMaxListeners(0, this.#end.signal);
  }

  /** Aborted when nothing will follow here any more, with the error that says why. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Nothing is taken from the engine any more. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Turns that run may end; no other begins. */
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

  /** Another session goes on with the task: what this one accepted would be lost. */
  checkAwake(): void {
    if (this.#isSuspended) throw putAway();
  }

  checkTakesWork(): void {
    if (this.#isDraining)
      throw new AppError('shutting-down', 'the server is shutting down; send the message again to its successor');
  }
}

export function putAway(): AppError {
  return new AppError('not-ready', 'the task is being put away; try again');
}
