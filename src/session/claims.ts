import { AppError } from '../domain/errors.js';
import type { Store, StoredServer } from '../stores/store.js';

export type ClaimsOptions = {
  readonly store: Store;
  /** A server that has not been heard of for so long is gone. */
  readonly leaseMs: number;
  /** Where clients reach this server, if others may tell it. */
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
 * server lives; a server lives as long as it keeps saying so.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #aliveUntil = Infinity;
  /** Who was silent itself, perhaps because the store was away for everybody, first gives the others time to speak. */
  #judgesFrom = 0;
  #others: ReadonlySet<string> = new Set();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Resolves when the others can know of us. */
  async start({ onGone, onLapse }: ClaimsObserver): Promise<void> {
    await this.#beat(onLapse);
    const beat = async (): Promise<void> => {
      if (await this.#beat(onLapse)) await onGone();
    };
    this.#timer = setInterval(() => {
      // A beat that the store keeps waiting is not followed by a crowd of others.
      this.#beating = this.#beating.then(beat).catch(this.#options.onError);
    }, this.#options.leaseMs / 3);
    this.#timer.unref();
  }

  /** Makes a task ours. Rejects with `task-elsewhere` while it belongs to another server that lives. */
  async take(taskId: string): Promise<void> {
    const { store } = this.#options;
    if (await store.claim(taskId)) return;
    const holder = await store.holder(taskId);
    const server = (await store.servers()).find(({ id }) => id === holder);
    const isFree = holder !== undefined && (!server || this.#isGone(server));
    if (isFree && (await store.claim(taskId, holder))) return;
    throw this.#elsewhere(taskId, server);
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

  /** Says that we live, and looks who does not. True when another server has gone. */
  async #beat(onLapse: () => Promise<unknown>): Promise<boolean> {
    const { store, leaseMs, url } = this.#options;
    const aliveUntil = Date.now() + leaseMs;
    await store.saveServer({
      aliveUntil: new Date(aliveUntil).toISOString(),
      ...(url === undefined ? {} : { url }),
    });
    const hasLapsed = Date.now() > this.#aliveUntil;
    this.#aliveUntil = aliveUntil;
    if (hasLapsed) {
      this.#judgesFrom = Date.now() + leaseMs;
      await onLapse();
    }
    const before = this.#others;
    const others = (await store.servers()).filter(({ id }) => id !== store.server);
    const gone = others.filter((server) => this.#isGone(server));
    for (const { id } of gone) await store.deleteServer(id);
    this.#others = new Set(others.filter((server) => !gone.includes(server)).map(({ id }) => id));
    return gone.length > 0 || [...before].some((id) => !this.#others.has(id));
  }

  #isGone({ id, aliveUntil }: StoredServer): boolean {
    if (this.#options.isDead?.(id)) return true;
    const now = Date.now();
    const mayJudge = now >= this.#judgesFrom && now <= this.#aliveUntil;
    return mayJudge && now > Date.parse(aliveUntil);
  }

  #elsewhere(taskId: string, server: StoredServer | undefined): AppError {
    const { url } = server ?? {};
    const seconds = server ? Math.ceil((Date.parse(server.aliveUntil) - Date.now()) / 1000) : 1;
    return new AppError(
      'task-elsewhere',
      `task "${taskId}" is run by another server; ask that one, or try again later`,
      {
        details: {
          taskId,
          retryAfter: Math.max(1, seconds),
          // Behind one proxy all have the same.
          ...(url === undefined || url === this.#options.url ? {} : { url }),
        },
      },
    );
  }
}

export function isElsewhere(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'task-elsewhere';
}
