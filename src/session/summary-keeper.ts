import { AppError } from '../domain/errors.js';
import { isTurnEnd, type SessionEvent } from '../domain/events.js';
import type { Store } from '../stores/store.js';
import type { Session } from './session.js';
import { toSummary } from './summary.js';

/** A task is summarised after so many events; after fewer, when a turn has ended. */
const everyEvents = 2000;
const everyEventsAtEnd = 200;

export type SummaryKeeperOptions = {
  readonly store: Store;
  readonly session: Session;
  readonly onError: (error: unknown) => void;
};

/**
 * Stores what the events of a session say, now and then, so that whoever opens its task reads only those since. Nobody waits
 * for it: a summary that is lost costs reading.
 */
export class SummaryKeeper {
  readonly #options: SummaryKeeperOptions;
  readonly #stop: () => void;
  #saving: Promise<unknown> | undefined;

  constructor(options: SummaryKeeperOptions) {
    this.#options = options;
    this.#stop = options.session.observe((event) => this.#onEvent(event));
    // A crash kept something out of it.
    this.#catchUp();
  }

  /** Resolves when the store knows everything, or takes no more. */
  async stop(): Promise<void> {
    this.#stop();
    await this.#saving;
    this.#catchUp();
    await this.#saving;
  }

  #onEvent(event: SessionEvent): void {
    const hasEnded = event.type === 'turn' && isTurnEnd(event.state);
    if (this.#options.session.recall.behind >= (hasEnded ? everyEventsAtEnd : everyEvents)) this.#save();
  }

  #catchUp(): void {
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
      // What the store does not take is told by the log of the session.
      .catch((error: unknown) => error instanceof AppError || onError(error))
      .finally(() => (this.#saving = undefined));
  }
}
