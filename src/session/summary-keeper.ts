import { AppError } from '../domain/errors.js';
import { isTurnEnd, type SessionEvent } from '../domain/events.js';
import type { Store } from '../stores/store.js';
import type { Session } from './session.js';
import { toSummary } from './summary.js';

/** A task is summarised after this many events, or after fewer when a turn ends. */
const everyEvents = 2000;
const everyEventsAtEnd = 200;

export type SummaryKeeperOptions = {
  readonly store: Store;
  readonly session: Session;
  readonly onError: (error: unknown) => void;
};

/**
 * Stores a summary of a session's events from time to time. Opening the task then reads only the events since. Nobody waits
 * for it: losing a summary only costs more reading.
 */
export class SummaryKeeper {
  readonly #options: SummaryKeeperOptions;
  readonly #stop: () => void;
  #saving: Promise<unknown> | undefined;

  constructor(options: SummaryKeeperOptions) {
    this.#options = options;
    this.#stop = options.session.observe((event) => this.#onEvent(event));
    // After a crash, the stored summary may lack some events.
    this.#replay();
  }

  /** Resolves once the stored summary is complete, or the store accepts no more. */
  async stop(): Promise<void> {
    this.#stop();
    await this.#saving;
    this.#replay();
    await this.#saving;
  }

  #onEvent(event: SessionEvent): void {
    const hasEnded = event.type === 'turn' && isTurnEnd(event.state);
    if (this.#options.session.recall.behind >= (hasEnded ? everyEventsAtEnd : everyEvents)) this.#save();
  }

  #replay(): void {
    if (this.#options.session.recall.behind > 0) this.#save();
  }

  #save(): void {
    if (this.#saving) return;
    const { store, session, onError } = this.#options;
    const { recall } = session;
    const summary = toSummary(recall);
    const { news } = recall;
    recall.summarised();
    if (summary === undefined) return;
    this.#saving = store
      .saveSummary(session.id, summary, news)
      // The session's event log reports what the store refuses.
      .catch((error: unknown) => error instanceof AppError || onError(error))
      .finally(() => (this.#saving = undefined));
  }
}
