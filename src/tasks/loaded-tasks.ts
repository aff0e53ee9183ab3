import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isElsewhere, isStoreAway, toAppError } from '../domain/errors.js';
import { handedOver } from '../session/lifetime.js';
import { loadEvents } from '../session/load-events.js';
import type { Session } from '../session/session.js';
import type { StoredTask } from '../stores/store.js';
import { defined } from '../util/defined.js';
import { whyLost } from './checkpoints.js';
import type { Heirs } from './heirs.js';
import { isUnused, type Life, type LoadedTask, startTask, stopTask } from './loaded-task.js';
import { newTaskRecord } from './new-task.js';
import { hasWorkspaceOf } from './pinned-roots.js';
import type { RegistryOptions } from './registry-options.js';
import type { SessionWishes } from './sessions.js';
import type { TaskChanges } from './task-changes.js';

/** Between attempts to load a task while the store is down. */
const retryMs = 1000;

/** The tasks in memory: how they get there and how they leave. Each is loaded once, and only under this server's claim. */
export class LoadedTasks {
  readonly #options: RegistryOptions;
  readonly #onSession: (session: Session) => void;
  readonly #changes: TaskChanges;
  readonly #tasks = new Map<string, LoadedTask>();
  /** Tasks being loaded or created: concurrent requests for one of them get the same result. */
  readonly #loading = new Map<string, Promise<LoadedTask | undefined>>();
  /** Tasks being unloaded or deleted: anyone who asks for one waits until the store is up to date. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Why the running turn of a task must fail when it is loaded again: the store refused part of its output. */
  readonly #interruptions = new Map<string, string>();
  #isClosing = false;

  constructor(options: RegistryOptions, changes: TaskChanges, onSession: (session: Session) => void) {
    this.#options = options;
    this.#changes = changes;
    this.#onSession = onSession;
  }

  [Symbol.iterator](): IterableIterator<[string, LoadedTask]> {
    return this.#tasks.entries();
  }

  get size(): number {
    return this.#tasks.size;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** The task if it is in memory now. */
  peek(id: string): LoadedTask | undefined {
    return this.#tasks.get(id);
  }

  /** The task if it is in memory or on its way there. Rejects if it cannot be opened. */
  async present(id: string): Promise<LoadedTask | undefined> {
    await this.#leaving.get(id);
    return this.#tasks.get(id) ?? this.#loading.get(id);
  }

  isLoading(id: string): boolean {
    return this.#loading.has(id);
  }

  /** The task, loaded if necessary; undefined if it does not exist. Counts as use. */
  async get(id: string, needsRoom = true): Promise<LoadedTask | undefined> {
    await this.#leaving.get(id);
    const task = this.#tasks.get(id) ?? (await this.#once(id, () => this.#load(id, needsRoom)));
    if (task) task.usedAt = Date.now();
    return task;
  }

  /** For recovery, which needs no free room. Undefined if the task does not exist or another server holds it. */
  getIfHere(id: string): Promise<LoadedTask | undefined> {
    return this.get(id, false).catch((error: unknown) => {
      if (isElsewhere(error)) return undefined;
      throw error;
    });
  }

  /** `name`: the id that a client has chosen. There may be a task with it by now, which is returned then. */
  async create(name: string | undefined, wishes: SessionWishes): Promise<LoadedTask> {
    const id = name ?? randomUUID();
    for (;;) {
      // Undefined if somebody else was just looking for it and found nothing.
      const task = await this.#once(id, () => this.#create(id, wishes, name !== undefined));
      if (task) return task;
    }
  }

  checkGate(): void {
    if (this.#options.load().isFull) throw new AppError('not-ready', 'the server is full: too many turns are waiting');
  }

  /** Gives up the tasks that other servers took while we were silent. */
  async review(): Promise<void> {
    const { claims } = this.#options;
    for (const [id, task] of this.#tasks)
      if (!(await claims.holds(id, task.epoch))) this.#lose(id, task, claims.elsewhere(id));
  }

  /** Leaves everything in the store: any server can load the task again. Clients that still follow get `why`. */
  unload(id: string, task: LoadedTask, why?: AppError, heir?: string): Promise<void> {
    return this.#leave(id, async () => {
      await stopTask(task, why);
      await this.#options.claims.release(id, heir);
    });
  }

  /** Gives what somebody needs in memory to a server that continues it. Nobody continues what is unused. */
  async handOver(findHeirs: () => Promise<Heirs>, isReady: (task: LoadedTask) => boolean): Promise<void> {
    if (![...this.#tasks.values()].some(isReady)) return;
    const heirs = await findHeirs();
    const ready = [...this.#tasks].filter(([, task]) => isReady(task));
    const give = async ([id, task]: [string, LoadedTask]): Promise<void> => {
      const heir = isUnused(task) ? undefined : heirs.of(task.keeper.record);
      await this.unload(id, task, heir === undefined ? shuttingDown() : handedOver(), heir);
      if (heir !== undefined) heirs.given(id, heir);
    };
    await Promise.all(ready.map((entry) => give(entry).catch(this.#options.onError)));
  }

  /** Returns false if there was no such task. Nobody can open it until it is deleted. */
  async delete(id: string): Promise<boolean> {
    // Waits for an unload under way, which would otherwise release the claim that is taken below.
    const task = await this.present(id);
    const { claims, engines, onRemoved, store } = this.#options;
    // An unknown id needs no claim, and leaves no trace of one.
    const record = task?.keeper.record ?? (await store.task(id));
    if (!record) return false;
    this.#interruptions.delete(id);
    return this.#leave(id, async () => {
      if (task) await stopTask(task, new AppError('unknown-task', `task "${id}" was deleted`));
      else await claims.take(id);
      await engines.forget?.(id);
      onRemoved?.(id);
      // It was there. If its deletion is repeated because the acknowledgement was lost, nothing is found the second time.
      if (!(await store.deleteTask(id)) && (await store.task(id))) throw claims.elsewhere(id);
      this.#changes.publish({ type: 'removed', task: record });
      return true;
    });
  }

  /** Loads and creates no more tasks. */
  close(): void {
    this.#isClosing = true;
  }

  /** Unloads all tasks. A failed store must not prevent that: claims that are not released end with the lease. */
  async unloadAll(): Promise<void> {
    const { onError } = this.#options;
    await Promise.all([...this.#tasks].map(([id, task]) => this.unload(id, task, shuttingDown()).catch(onError)));
  }

  #once(id: string, make: () => Promise<LoadedTask | undefined>): Promise<LoadedTask | undefined> {
    const known = this.#loading.get(id);
    if (known) return known;
    const made = Promise.resolve()
      .then(make)
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, made);
    return made;
  }

  async #load(id: string, needsRoom: boolean): Promise<LoadedTask | undefined> {
    if (this.#isClosing) throw shuttingDown();
    const { store, claims, pinnedRoots = [] } = this.#options;
    const record = await store.task(id);
    // A task that does not exist needs no claim.
    if (!record) return undefined;
    if (!hasWorkspaceOf(pinnedRoots, record)) throw claims.elsewhere(id);
    if (needsRoom) await this.#makeRoom();
    return this.#claimed(id, (epoch) => this.#loadClaimed(id, epoch));
  }

  async #create(id: string, wishes: SessionWishes, isNamed: boolean): Promise<LoadedTask | undefined> {
    if (this.#isClosing) throw shuttingDown();
    // On a full server its first prompt would be refused, and the empty task would remain.
    this.checkGate();
    const record = newTaskRecord(id, wishes, this.#options);
    await this.#makeRoom();
    return this.#claimed(id, async (epoch) => {
      // Another server may have created it in the meantime.
      const known = isNamed && (await this.#loadClaimed(id, epoch));
      if (known) return known;
      const { store, onError } = this.#options;
      const created = store.createTask(record);
      // If the task cannot start, nobody asks what became of its record.
      created.catch(() => {});
      const task = this.#start(record, { epoch, created });
      created
        .then(
          () => this.#onSaved(record),
          (error: unknown) => this.#lose(id, task, toAppError(error)),
        )
        .catch(onError);
      return task;
    });
  }

  /** Claims a task before it is read: until then another server may change it. */
  async #claimed(
    id: string,
    start: (epoch: number) => Promise<LoadedTask | undefined>,
  ): Promise<LoadedTask | undefined> {
    const { claims, store, onError } = this.#options;
    const epoch = await claims.take(id);
    try {
      const task = await start(epoch);
      // It was deleted just before we claimed it: nothing of it may remain, not even a claim.
      if (!task) await store.deleteTask(id);
      return task;
    } catch (error) {
      // A failure here must not hide why it could not start.
      await claims.release(id).catch(onError);
      throw error;
    }
  }

  async #loadClaimed(id: string, epoch: number): Promise<LoadedTask | undefined> {
    const { store, turnEnd } = this.#options;
    const record = await store.task(id);
    if (!record) return undefined;
    const [checkpoint, earlier] = await Promise.all([store.checkpoint(id), loadEvents(store, id, turnEnd)]);
    const { running, seq } = earlier.recall.state;
    // A turn cannot continue if the store lost its output. A turn that waits for an answer has lost nothing.
    const loss = running?.state === 'working' ? this.#interruptions.get(id) : undefined;
    const interruption = whyLost(checkpoint, seq) ?? loss;
    this.#interruptions.delete(id);
    return this.#start(record, { epoch, earlier, ...defined({ checkpoint, interruption }) });
  }

  #start(record: StoredTask, life: Life): LoadedTask {
    const { id } = record;
    const task: LoadedTask = startTask(record, life, this.#options, {
      onLoss: (why) => this.#lose(id, task, why),
      onSaved: (saved) => this.#onSaved(saved),
    });
    this.#tasks.set(id, task);
    this.#onSession(task.session);
    return task;
  }

  #onSaved(task: StoredTask): void {
    this.#changes.publish({ type: 'saved', task });
  }

  /** The session cannot continue here. Anyone who asks for the task again gets it from the store, or learns where it is. */
  #lose(id: string, task: LoadedTask, why: AppError): void {
    if (this.#tasks.get(id) !== task) return;
    const { onLost, onError } = this.#options;
    onLost(id, why);
    const left = this.unload(id, task, why).catch(onError);
    if (!isStoreAway(why)) return;
    this.#interruptions.set(id, why.message);
    void left.then(() => this.#reload(id)).catch(onError);
  }

  /** Loads a task once the store is back: it then reports what became of its turn and continues with its queue. */
  async #reload(id: string): Promise<void> {
    while (!this.#isClosing) {
      try {
        const isHere = await this.getIfHere(id);
        // Whoever holds it now decides what becomes of its turn.
        if (!isHere) this.#interruptions.delete(id);
        return;
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  async #makeRoom(): Promise<void> {
    const { maxLoaded } = this.#options;
    // `#loading` includes the task that needs the room.
    if (this.#tasks.size + this.#loading.size <= maxLoaded) return;
    const [oldest] = [...this.#tasks]
      .filter(([, task]) => isUnused(task))
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!oldest) throw new AppError('not-ready', `${maxLoaded} tasks are in use, which is the limit; try again later`);
    const [id, task] = oldest;
    await this.unload(id, task);
  }

  #leave<T>(id: string, end: () => Promise<T>): Promise<T> {
    this.#tasks.delete(id);
    const ended = end();
    const left = ended
      .catch(() => undefined)
      // Another may have begun to leave under this id meanwhile.
      .then(() => void (this.#leaving.get(id) === left && this.#leaving.delete(id)));
    this.#leaving.set(id, left);
    return ended;
  }
}

function shuttingDown(): AppError {
  return new AppError('shutting-down', 'the server is shutting down');
}
