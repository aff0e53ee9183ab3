import type { Store } from '../stores/store.js';
import { type Bus, NobodyThere } from './bus/bus.js';

export type ServerWatchOptions = {
  readonly bus: Pick<Bus, 'request' | 'isConnected'>;
  readonly store: Pick<Store, 'server' | 'servers'>;
  /** A server judges others by the bus only after it has been connected itself for this long. */
  readonly leaseMs: number;
  /** A ping, as the servers answer it. */
  readonly ping: string;
  /** That server is gone, whatever its lease says. */
  readonly onGone: (server: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

const pingMs = 250;
const answerMs = 1000;
/** How often the list of servers is read from the store. */
const readMs = 1000;
/** How many times in a row nobody must be listening. */
const enough = 3;
/** How many servers each one watches: its next ones, in the order of their ids. */
const watched = 2;

/**
 * Finds dead servers before their lease expires: the bus reports immediately that nobody listens under their name. Only a
 * server that was heard before can be found gone. A wrong finding costs no more than an interrupted turn, because the
 * store refuses what a server writes to a task that was taken from it.
 */
export class ServerWatch {
  readonly #options: ServerWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #heard = new Set<string>();
  readonly #misses = new Map<string, number>();
  readonly #gone = new Set<string>();
  #known: { readonly ids: readonly string[]; readonly at: number } = { ids: [], at: -Infinity };
  #connectedFrom = performance.now();
  #isBusy = false;

  constructor(options: ServerWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), pingMs);
    this.#timer.unref();
  }

  /** Whether it was found gone and has not been heard since. */
  isGone(server: string): boolean {
    return this.#gone.has(server);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (!this.#options.bus.isConnected) this.#connectedFrom = performance.now();
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await Promise.all((await this.#next()).map((server) => this.#ping(server)));
    } catch {
      // The store is unavailable, so no task could be taken over.
    } finally {
      this.#isBusy = false;
    }
  }

  async #next(): Promise<readonly string[]> {
    const { store } = this.#options;
    const { ids } = await this.#servers();
    for (const known of [this.#heard, this.#gone]) for (const id of known) if (!ids.includes(id)) known.delete(id);
    const own = ids.indexOf(store.server);
    return [...ids.slice(own + 1), ...ids.slice(0, Math.max(0, own))].slice(0, watched);
  }

  async #servers(): Promise<{ readonly ids: readonly string[] }> {
    if (performance.now() - this.#known.at < readMs) return this.#known;
    const ids = (await this.#options.store.servers()).map(({ id }) => id).toSorted();
    this.#known = { ids, at: performance.now() };
    return this.#known;
  }

  async #ping(server: string): Promise<void> {
    const { bus, ping, onGone, onError } = this.#options;
    try {
      await bus.request(server, ping, answerMs);
      this.#heard.add(server);
      this.#gone.delete(server);
      this.#misses.delete(server);
    } catch (error) {
      if (!(error instanceof NobodyThere) || !this.#heard.has(server) || !this.#mayJudge) return;
      const misses = (this.#misses.get(server) ?? 0) + 1;
      this.#misses.set(server, misses);
      if (misses < enough) return;
      this.#misses.delete(server);
      this.#heard.delete(server);
      this.#gone.add(server);
      await onGone(server).catch(onError);
    }
  }

  get #mayJudge(): boolean {
    return this.#options.bus.isConnected && performance.now() - this.#connectedFrom >= this.#options.leaseMs;
  }
}
