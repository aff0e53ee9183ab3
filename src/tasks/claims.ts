import { AppError } from '../domain/errors.js';
import type { Store, StoredServer } from '../stores/store.js';
import { defined } from '../util/defined.js';

export type ClaimsOptions = {
  readonly store: Store;
  /** A server that has been silent for this long is gone. */
  readonly leaseMs: number;
  /** Where clients reach this server, if that is public. */
  readonly url?: string;
  /** Whether a server is certainly dead, whatever its lease says. */
  readonly isDead?: (server: string) => boolean;
  readonly onError: (error: unknown) => void;
};

export type ClaimsObserver = {
  /** A server is gone: its tasks can be recovered. Nobody waits for that, because our lease must be renewed meanwhile. */
  readonly onGone: () => void;
  /** We were silent for longer than our lease: other servers may have taken our tasks. */
  readonly onLapse: () => Promise<unknown>;
};

/**
 * Which tasks belong to this server, among the servers that share a store. A task belongs to the server that claimed it for
 * as long as that server keeps renewing its lease. Only the store's clock decides whether a lease has expired.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  #observer: ClaimsObserver = { onGone: () => {}, onLapse: async () => {} };
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  /** When we last renewed our lease. */
  #heardAt = Infinity;
  /** After a lapse of our own, the others first get time to renew: the store may have been down for everyone. */
  #judgesFrom = 0;
  #others: ReadonlySet<string> = new Set();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Resolves once the other servers can see us. */
  async start(observer: ClaimsObserver): Promise<void> {
    this.#observer = observer;
    await this.#beat();
    const { leaseMs, onError } = this.#options;
    this.#timer = setInterval(() => void this.beat().catch(onError), leaseMs / 3);
    this.#timer.unref();
  }

  /** Renews our lease. Rejects if the store does not accept it: it would not accept a task either. */
  beat(): Promise<void> {
    // One at a time: renewals must not pile up at a slow store.
    const beat = this.#beating.then(() => this.#beat());
    this.#beating = beat.catch(() => undefined);
    return beat;
  }

  /** Claims a task and returns the epoch of the claim. Rejects with `task-elsewhere` while another live server holds it. */
  async take(taskId: string): Promise<number> {
    const { store } = this.#options;
    const epoch = await store.claim(taskId);
    if (epoch !== undefined) return epoch;
    const holder = await store.holder(taskId);
    const servers = await store.servers();
    const server = servers.find(({ id }) => id === holder?.server);
    const isFree = !server || this.#gone(servers).includes(server);
    const taken = isFree && holder ? await store.claim(taskId, holder.server) : undefined;
    if (taken !== undefined) return taken;
    throw this.elsewhere(taskId, server);
  }

  /** Whether nobody holds the task, or a server that was not there at our last look. */
  async mayTake(taskId: string): Promise<boolean> {
    const holder = await this.#options.store.holder(taskId);
    return holder === undefined || !this.#others.has(holder.server);
  }

  /** Whether the claim with this epoch still holds. */
  async holds(taskId: string, epoch: number): Promise<boolean> {
    return (await this.#options.store.holder(taskId))?.epoch === epoch;
  }

  /** `heir`: the server that alone may claim it next. */
  release(taskId: string, heir?: string): Promise<void> {
    return this.#options.store.release(taskId, heir);
  }

  /** Releases everything that is still ours. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#options.store.deleteServer(this.#options.store.server);
  }

  elsewhere(taskId: string, server?: StoredServer): AppError {
    const { url, leftMs = 1000 } = server ?? {};
    return new AppError(
      'task-elsewhere',
      `task "${taskId}" is run by another server; ask that one, or try again later`,
      {
        details: {
          taskId,
          retryAfter: Math.max(1, Math.ceil(leftMs / 1000)),
          // Servers behind one proxy share a URL.
          ...(url === undefined || url === this.#options.url ? {} : { url }),
        },
      },
    );
  }

  async #beat(): Promise<void> {
    const { store, leaseMs, url } = this.#options;
    const now = performance.now();
    await store.saveServer({ leaseMs, ...defined({ url }) });
    const hasLapsed = performance.now() - this.#heardAt > leaseMs;
    this.#heardAt = now;
    if (hasLapsed) {
      this.#judgesFrom = performance.now() + leaseMs;
      await this.#observer.onLapse();
    }
    const before = this.#others;
    const servers = await store.servers();
    const gone = this.#gone(servers);
    for (const { id } of gone) await store.deleteServer(id);
    const others = servers.filter((server) => server.id !== store.server && !gone.includes(server));
    this.#others = new Set(others.map(({ id }) => id));
    const hasGone = gone.length > 0 || [...before].some((id) => !this.#others.has(id));
    if (hasGone) this.#observer.onGone();
  }

  /** Servers that are dead or whose lease has expired. If ours has expired too, only the dead ones. */
  #gone(servers: readonly StoredServer[]): readonly StoredServer[] {
    const { store, isDead } = this.#options;
    const mayJudge = performance.now() >= this.#judgesFrom && isAlive(servers, store.server);
    return servers.filter(({ id, leftMs }) => id !== store.server && (isDead?.(id) || (mayJudge && leftMs <= 0)));
  }
}

function isAlive(servers: readonly StoredServer[], id: string): boolean {
  return servers.some((server) => server.id === id && server.leftMs > 0);
}
