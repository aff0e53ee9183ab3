import { AppError } from '../domain/errors.js';
import type { Store, StoredServer } from '../stores/store.js';
import { defined } from '../util/defined.js';

export type ClaimsOptions = {
  readonly store: Store;
  /** A server that has not been heard of for so long is gone. */
  readonly leaseMs: number;
  /** Where clients reach this server, if others may know. */
  readonly url?: string;
  /** Whether a server has died for certain, whatever its lease says. */
  readonly isDead?: (server: string) => boolean;
  readonly onError: (error: unknown) => void;
};

export type ClaimsObserver = {
  /** A server has gone: its tasks may be taken up. */
  readonly onGone: () => Promise<unknown>;
  /** Nobody heard of us for longer than the lease: our tasks may have been taken. */
  readonly onLapse: () => Promise<unknown>;
};

/**
 * Which tasks are ours, among the servers that share a store. A task belongs to the server that claimed it, as long as that
 * server lives; a server lives as long as it keeps saying so. Leases are judged by the clock of the store alone.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  #observer: ClaimsObserver = { onGone: async () => {}, onLapse: async () => {} };
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  /** When the others last heard of us. */
  #heardAt = Infinity;
  /** Who was silent itself, perhaps because the store was away for everybody, first gives the others time to speak. */
  #judgesFrom = 0;
  #others: ReadonlySet<string> = new Set();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Resolves when the others can know of us. */
  async start(observer: ClaimsObserver): Promise<void> {
    this.#observer = observer;
    await this.#beat();
    const { leaseMs, onError } = this.#options;
    this.#timer = setInterval(() => void this.beat().catch(onError), leaseMs / 3);
    this.#timer.unref();
  }

  /** Says that we live. Rejects when the store does not take it: then it would take no task either. */
  beat(): Promise<void> {
    // One after the other: a store that keeps one waiting gets no crowd of them.
    const beat = this.#beating.then(() => this.#beat());
    this.#beating = beat.catch(() => undefined);
    return beat;
  }

  /** Makes a task ours; the epoch of our claim. Rejects with `task-elsewhere` while it belongs to another server that lives. */
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

  /** Whether the claim with this epoch still holds. */
  async holds(taskId: string, epoch: number): Promise<boolean> {
    return (await this.#options.store.holder(taskId))?.epoch === epoch;
  }

  release(taskId: string): Promise<void> {
    return this.#options.store.release(taskId);
  }

  /** What is still ours is anybody's now. */
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
          // Behind one proxy all have the same.
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
    if (hasGone) await this.#observer.onGone();
  }

  /** Those that are dead, and those whose lease is over, unless ours is too. */
  #gone(servers: readonly StoredServer[]): readonly StoredServer[] {
    const { store, isDead } = this.#options;
    const mayJudge = performance.now() >= this.#judgesFrom && isAlive(servers, store.server);
    return servers.filter(({ id, leftMs }) => id !== store.server && (isDead?.(id) || (mayJudge && leftMs <= 0)));
  }
}

function isAlive(servers: readonly StoredServer[], id: string): boolean {
  return servers.some((server) => server.id === id && server.leftMs > 0);
}
