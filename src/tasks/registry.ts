import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../domain/command.js';
import { AppError, isElsewhere } from '../domain/errors.js';
import type { TurnState } from '../domain/events.js';
import type { StoredArtifact, StoredTask, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../stores/store.js';
import { within } from '../util/within.js';
import { allTasks } from './all-tasks.js';
import { whyLost } from './checkpoints.js';
import { loadEvents } from '../session/load-events.js';
import { isUnused, type Life, type LoadedTask, startTask, stopTask } from './loaded-task.js';
import { newTask } from './new-task.js';
import { OldTasks } from './old-tasks.js';
import type { RegistryOptions } from './registry-options.js';
import { runInSession } from './run-in-session.js';
import type { CommandRequest, ServerTasks } from './server-tasks.js';
import type { CommandOutcome, TaskTools } from '../engine/task-engine.js';
import type { Session } from '../session/session.js';
import { checkSessionId, sessionIdOf, type SessionWishes, unknownTask } from './sessions.js';
import { readSession, type SessionView } from './stored-session.js';
import { toldTurns } from '../session/told-turns.js';
import { defined } from '../util/defined.js';

/** How long the store may take to show that it accepts changes. */
const readyMs = 3000;
const retryMs = 1000;
const unfinished: readonly TurnState[] = ['working', 'input-required', 'submitted'];

/** The sessions of a server: loaded on demand, unloaded when nobody needs them, recovered after a restart. */
export class Registry implements ServerTasks {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, LoadedTask>();
  /** Tasks being opened: concurrent requests for one task get the same entry. */
  readonly #opening = new Map<string, Promise<LoadedTask | undefined>>();
  /** Tasks being unloaded or deleted: anyone who asks for one waits until the store is up to date. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Why a task's turn failed when the store lost part of it; kept until the task is loaded again. */
  readonly #interruptions = new Map<string, string>();
  readonly #sessionListeners = new Set<(session: Session) => void>();
  readonly #oldTasks: OldTasks;
  readonly #sweep: NodeJS.Timeout;
  #isClosing = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#oldTasks = new OldTasks(options.store, options.ttlMs);
    this.#sweep = setInterval(() => void this.#unloadIdle().catch(options.onError), Math.min(options.idleMs, 30_000));
    this.#sweep.unref();
  }

  async get(id: string): Promise<Session | undefined> {
    return (await this.#entry(id))?.session;
  }

  async ofTurn(turnId: string): Promise<Session | undefined> {
    const id = sessionIdOf(turnId);
    return id === '' ? undefined : this.get(id);
  }

  async open(given: string | undefined, wishes: SessionWishes = {}): Promise<Session> {
    if (given === undefined && wishes.mustExist)
      throw new AppError('bad-request', 'an answer needs the id of the task that asked');
    const id = given ?? randomUUID();
    checkSessionId(id);
    const known = await this.#entry(id);
    if (!known && wishes.mustExist) throw unknownTask(id);
    const entry = known ?? (await this.#once(id, () => this.#create(id, wishes)));
    if (!entry) throw new AppError('unknown-task', `task "${id}" is being removed`);
    return entry.session;
  }

  async view(id: string): Promise<SessionView | undefined> {
    await this.#leaving.get(id);
    const opening = this.#opening.get(id)?.catch(() => undefined);
    const entry = this.#entries.get(id) ?? (await opening);
    if (entry) {
      entry.usedAt = Date.now();
      return entry.session;
    }
    const { store, turnEnd = 'completed' } = this.#options;
    const record = await store.task(id);
    return record && readSession(store, record, turnEnd);
  }

  *all(): Iterable<Session> {
    for (const { session } of this.#entries.values()) yield session;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.#options.store.tasks(query);
  }

  turns(query: TurnQuery): Promise<TurnPage> {
    return toldTurns(this.#options.store, query, this.#options.turnEnd);
  }

  async describe(id: string): Promise<StoredTask | undefined> {
    return this.#entries.get(id)?.keeper.record ?? this.#options.store.task(id);
  }

  async remove(id: string): Promise<boolean> {
    const entry = this.#entries.get(id) ?? (await this.#opening.get(id));
    // Nobody can open it again until it is deleted.
    return this.#leave(id, async () => {
      if (entry) await stopTask(entry, new AppError('unknown-task', `task "${id}" was deleted`));
      else await this.#options.claims.take(id);
      await this.#options.engines.forget?.(id);
      this.#options.onRemoved?.(id);
      return this.#options.store.deleteTask(id);
    });
  }

  artifacts(id: string): Promise<readonly StoredArtifact[]> {
    return this.#options.store.artifacts(id);
  }

  artifact(id: string, name: string): Promise<Uint8Array | undefined> {
    return this.#options.store.artifact(id, name);
  }

  async tools(id: string): Promise<TaskTools> {
    const entry = await this.#entry(id);
    if (!entry) throw unknownTask(id);
    return entry.engine.tools();
  }

  commands(): Promise<readonly Command[]> {
    return this.#options.engines.commands();
  }

  async runCommand({ command, args, taskId, origin }: CommandRequest): Promise<CommandOutcome> {
    const line = [command.replace(/^\//, ''), ...args].join(' ');
    if (taskId === undefined) return this.#options.engines.run(line);
    const session = await this.get(taskId);
    if (!session) throw unknownTask(taskId);
    return runInSession(session, line, origin);
  }

  onSession(listener: (session: Session) => void): void {
    this.#sessionListeners.add(listener);
    for (const session of this.all()) listener(session);
  }

  get counts() {
    const { running, queued } = this.#options.load();
    return { running, queued, loaded: this.#entries.size };
  }

  async checkReady(): Promise<void> {
    if (this.#isClosing) throw new AppError('not-ready', 'the server is shutting down');
    this.#checkRoom();
    await within(readyMs, this.#options.claims.beat(), () => {
      throw new AppError('store-unavailable', 'the store does not answer; try again later');
    });
  }

  /**
   * Recovers what a server that is gone left unfinished: asks its questions again, runs its queued prompts and sends webhook
   * notices that were not delivered.
   */
  async recover(): Promise<number> {
    let count = 0;
    for (const state of unfinished) {
      for await (const task of allTasks((query) => this.list(query), { limit: 100, state })) {
        // A task is titled by its first prompt.
        const wasUsed = state !== 'submitted' || 'title' in task.metadata;
        if (!wasUsed || this.#entries.has(task.id) || this.#isClosing) continue;
        if (await this.#recoverTask(task.id)) count++;
      }
    }
    for (const id of await this.#options.store.tasksToNotify())
      if (!this.#entries.has(id) && !this.#isClosing && (await this.#recoverTask(id))) count++;
    return count;
  }

  /** Reports errors instead of throwing: one broken task must not block the others. */
  async #recoverTask(id: string): Promise<boolean> {
    return (await this.#entryIfHere(id).catch(this.#options.onError)) !== undefined;
  }

  /** Gives up the tasks that other servers took while we were silent. */
  async review(): Promise<void> {
    const { claims } = this.#options;
    for (const [id, entry] of this.#entries)
      if (!(await claims.holds(id, entry.epoch))) this.#lose(id, entry, claims.elsewhere(id));
  }

  /** Accepts no new work, gives running turns `drainMs` to finish, and leaves the rest to the next start. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#sweep);
    const deadline = Date.now() + drainMs;
    for (const session of this.all()) session.drain();
    const isRunning = (): boolean => [...this.all()].some((session) => session.state === 'working');
    while (isRunning() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    // A failed store must not prevent a shutdown: tasks that are not released become free when the lease expires.
    const { claims, store, onError } = this.#options;
    await Promise.all([...this.#entries].map(([id, entry]) => this.#unload(id, entry, shuttingDown()).catch(onError)));
    await claims.close().catch(onError);
    await store.close().catch(onError);
  }

  async #entry(id: string, needsRoom = true): Promise<LoadedTask | undefined> {
    await this.#leaving.get(id);
    const entry = this.#entries.get(id) ?? (await this.#once(id, () => this.#load(id, needsRoom)));
    if (entry) entry.usedAt = Date.now();
    return entry;
  }

  #once(id: string, make: () => Promise<LoadedTask | undefined>): Promise<LoadedTask | undefined> {
    const known = this.#opening.get(id);
    if (known) return known;
    const made = Promise.resolve()
      .then(make)
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, made);
    return made;
  }

  /** For recovery, which needs no free room. Also undefined if another server holds the task. */
  #entryIfHere(id: string): Promise<LoadedTask | undefined> {
    return this.#entry(id, false).catch((error: unknown) => {
      if (isElsewhere(error)) return undefined;
      throw error;
    });
  }

  async #load(id: string, needsRoom: boolean): Promise<LoadedTask | undefined> {
    if (this.#isClosing) throw shuttingDown();
    // A task that does not exist needs no claim.
    if (!(await this.#options.store.task(id))) return undefined;
    if (needsRoom) await this.#makeRoom();
    return this.#claimed(id, (epoch) => this.#revive(id, epoch));
  }

  async #create(id: string, wishes: SessionWishes): Promise<LoadedTask | undefined> {
    if (this.#isClosing) throw shuttingDown();
    // On a full server its first prompt would be refused, and the empty task would remain.
    this.#checkRoom();
    const record = newTask(id, wishes, this.#options);
    await this.#makeRoom();
    return this.#claimed(id, async (epoch) => {
      // Another server may have created it in the meantime.
      const known = await this.#revive(id, epoch);
      if (known) return known;
      await this.#options.store.saveTask(record);
      return this.#start(record, { epoch });
    });
  }

  /** Claims a task before it is read: until then another server may change it. */
  async #claimed(
    id: string,
    start: (epoch: number) => Promise<LoadedTask | undefined>,
  ): Promise<LoadedTask | undefined> {
    const { claims } = this.#options;
    const epoch = await claims.take(id);
    let entry: LoadedTask | undefined;
    try {
      entry = await start(epoch);
      return entry;
    } finally {
      if (!entry) await claims.release(id);
    }
  }

  async #revive(id: string, epoch: number): Promise<LoadedTask | undefined> {
    const { store, turnEnd = 'completed' } = this.#options;
    const record = await store.task(id);
    if (!record) return undefined;
    const [checkpoint, earlier] = await Promise.all([store.checkpoint(id), loadEvents(store, id, turnEnd)]);
    const { running, seq } = earlier.recall.state;
    // A turn cannot continue if the store lost its output. A turn that waits for an answer has lost nothing.
    const loss = running?.state === 'working' ? this.#interruptions.get(id) : undefined;
    const interruption = whyLost(checkpoint, seq) ?? loss;
    this.#interruptions.delete(id);
    return this.#start(record, {
      epoch,
      earlier,
      ...defined({ checkpoint, interruption }),
    });
  }

  #start(record: StoredTask, life: Life): LoadedTask {
    const { id } = record;
    const entry: LoadedTask = startTask(record, life, this.#options, (why) => this.#lose(id, entry, why));
    this.#entries.set(id, entry);
    for (const listener of this.#sessionListeners) listener(entry.session);
    return entry;
  }

  /** The session cannot continue here. Anyone who asks for the task again gets it from the store, or learns where it is. */
  #lose(id: string, entry: LoadedTask, why: AppError): void {
    if (this.#entries.get(id) !== entry) return;
    const { onLost, onError } = this.#options;
    onLost(id, why);
    const left = this.#unload(id, entry, why).catch(onError);
    if (why.code !== 'store-unavailable') return;
    this.#interruptions.set(id, why.message);
    void left.then(() => this.#reload(id)).catch(onError);
  }

  /** Loads a task once the store is back: it then reports what became of its turn and continues with its queue. */
  async #reload(id: string): Promise<void> {
    while (!this.#isClosing) {
      try {
        await this.#entryIfHere(id);
        return;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'store-unavailable') throw error;
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  #checkRoom(): void {
    if (this.#options.load().isFull) throw new AppError('not-ready', 'the server is full: too many turns are waiting');
  }

  async #makeRoom(): Promise<void> {
    // `#opening` includes the task that needs the room.
    if (this.#entries.size + this.#opening.size <= this.#options.maxLoaded) return;
    const [oldest] = [...this.#entries]
      .filter(([, entry]) => isUnused(entry))
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!oldest)
      throw new AppError(
        'not-ready',
        `${this.#options.maxLoaded} tasks are in use, which is the limit; try again later`,
      );
    await this.#unload(...oldest);
  }

  async #unloadIdle(): Promise<void> {
    const { idleMs } = this.#options;
    const now = Date.now();
    for (const [id, entry] of this.#entries) {
      if (isUnused(entry) && now - entry.usedAt > idleMs) await this.#unload(id, entry);
    }
    for (const id of await this.#oldTasks.find(now)) {
      if (this.#entries.has(id) || this.#opening.has(id)) continue;
      await this.remove(id).catch((error: unknown) => isElsewhere(error) || this.#options.onError(error));
    }
  }

  /** Leaves everything in the store: any server can load the task again. */
  #unload(id: string, entry: LoadedTask, why?: AppError): Promise<void> {
    return this.#leave(id, async () => {
      await stopTask(entry, why);
      await this.#options.claims.release(id);
    });
  }

  #leave<T>(id: string, end: () => Promise<T>): Promise<T> {
    this.#entries.delete(id);
    const ended = end();
    const left = ended.catch(() => undefined).then(() => void this.#leaving.delete(id));
    this.#leaving.set(id, left);
    return ended;
  }
}

function shuttingDown(): AppError {
  return new AppError('shutting-down', 'the server is shutting down');
}
