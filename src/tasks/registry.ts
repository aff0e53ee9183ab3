import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../domain/command.js';
import { AppError, isElsewhere, isStoreAway } from '../domain/errors.js';
import type { TurnState } from '../domain/events.js';
import { shownWith } from '../domain/turn.js';
import type { StoredArtifact, StoredTask, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../stores/store.js';
import { within } from '../util/within.js';
import { allTasks } from './all-tasks.js';
import type { Heirs } from './heirs.js';
import { isUnused, type LoadedTask } from './loaded-task.js';
import { LoadedTasks } from './loaded-tasks.js';
import { OldTasks } from './old-tasks.js';
import type { RegistryOptions } from './registry-options.js';
import { runInSession } from './run-in-session.js';
import type { CommandRequest, ServerTasks } from './server-tasks.js';
import type { CommandOutcome, TaskTools } from '../engine/task-engine.js';
import type { Session } from '../session/session.js';
import { checkSessionId, sessionIdOf, type SessionWishes, unknownTask } from './sessions.js';
import { readSession, type SessionView } from './stored-session.js';
import { type TaskChange, TaskChanges } from './task-changes.js';
import { shownTurns } from '../session/log/shown-turns.js';

/** How long the store may take to show that it accepts changes. */
const readyMs = 3000;
/** How often a server that drains looks which turns have finished. */
const lookMs = 50;
const unfinished: readonly TurnState[] = ['working', 'input-required', 'submitted'];

/** The sessions of a server: loaded on demand, unloaded when nobody needs them, recovered after a restart. */
export class Registry implements ServerTasks {
  readonly #options: RegistryOptions;
  readonly #loaded: LoadedTasks;
  readonly #sessionListeners = new Set<(session: Session) => void>();
  readonly #changes = new TaskChanges();
  readonly #oldTasks: OldTasks;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#loaded = new LoadedTasks(options, this.#changes, (session) => {
      for (const listener of this.#sessionListeners) listener(session);
    });
    this.#oldTasks = new OldTasks(options.store, options.ttlMs);
    this.#sweep = setInterval(() => void this.#unloadIdle().catch(options.onError), Math.min(options.idleMs, 30_000));
    this.#sweep.unref();
  }

  async get(id: string): Promise<Session | undefined> {
    return (await this.#loaded.get(id))?.session;
  }

  /** The session if it is in memory or on its way there. */
  async loaded(id: string): Promise<Session | undefined> {
    const task = await this.#loaded.present(id);
    if (task) task.usedAt = Date.now();
    return task?.session;
  }

  async ofTurn(turnId: string): Promise<Session | undefined> {
    const id = sessionIdOf(turnId);
    return id === '' ? undefined : this.get(id);
  }

  async open(name: string | undefined, wishes: SessionWishes = {}): Promise<Session> {
    const known = name === undefined ? undefined : await this.#named(name);
    if (!known && wishes.mustExist) {
      if (name !== undefined) throw unknownTask(name);
      throw new AppError('bad-request', 'an answer needs the id of the task that asked');
    }
    const task = known ?? (await this.#loaded.create(name, wishes));
    if (!wishes.promptFollows) await task.created;
    return task.session;
  }

  async view(id: string): Promise<SessionView | undefined> {
    // A task that cannot be loaded here can still be read from the store.
    const task = await this.#loaded.present(id).catch(() => undefined);
    if (task) {
      task.usedAt = Date.now();
      return task.session;
    }
    const { store, turnEnd } = this.#options;
    const record = await store.task(id);
    return record && readSession(store, record, turnEnd);
  }

  peek(id: string): Session | undefined {
    return this.#loaded.peek(id)?.session;
  }

  *all(): Iterable<Session> {
    for (const [, { session }] of this.#loaded) yield session;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.#options.store.tasks(query);
  }

  turns(query: TurnQuery): Promise<TurnPage> {
    return shownTurns(this.#options.store, query, shownWith(this.#options.turnEnd));
  }

  async describe(id: string): Promise<StoredTask | undefined> {
    return this.#loaded.peek(id)?.keeper.record ?? this.#options.store.task(id);
  }

  remove(id: string): Promise<boolean> {
    return this.#loaded.delete(id);
  }

  artifacts(id: string): Promise<readonly StoredArtifact[]> {
    return this.#options.store.artifacts(id);
  }

  artifact(id: string, name: string): Promise<Uint8Array | undefined> {
    return this.#options.store.artifact(id, name);
  }

  async tools(id: string): Promise<TaskTools> {
    const task = await this.#loaded.get(id);
    if (!task) throw unknownTask(id);
    return task.engine.tools();
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

  onChange(listener: (change: TaskChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  get counts() {
    const { running, queued } = this.#options.load();
    return { running, queued, loaded: this.#loaded.size };
  }

  async checkReady(): Promise<void> {
    if (this.#loaded.isClosing) throw new AppError('not-ready', 'the server is shutting down');
    this.#loaded.checkGate();
    await within(readyMs, this.#options.claims.beat(), () => {
      throw new AppError('store-unavailable', 'the store does not answer; try again later');
    });
  }

  /**
   * Recovers what a server that is gone left unfinished: asks its questions again, runs its queued prompts and sends webhook
   * notices that were not delivered. `isMeant`: which of them this server should recover. Rejects if the store is away: then
   * some of them may still have to be recovered.
   */
  async recover(isMeant: (task: StoredTask) => boolean = () => true): Promise<number> {
    const { claims, store } = this.#options;
    const isOurs = async (task: StoredTask): Promise<boolean> => isMeant(task) && (await claims.mayTake(task.id));
    const failures: unknown[] = [];
    let count = 0;
    for (const state of unfinished) {
      for await (const task of allTasks((query) => this.list(query), { limit: 100, state })) {
        // A task without a title never had a prompt, so there is nothing to recover.
        const wasUsed = state !== 'submitted' || 'title' in task.metadata;
        if (wasUsed && (await isOurs(task)) && (await this.#recoverTask(task.id, failures))) count++;
      }
    }
    for (const id of await store.tasksToNotify()) {
      const task = await store.task(id);
      if (task && (await isOurs(task)) && (await this.#recoverTask(id, failures))) count++;
    }
    if (failures.length > 0) throw failures[0];
    return count;
  }

  /** Continues a task that another server gave to this one, or could not run itself. False if another server holds it. */
  async adopt(id: string): Promise<boolean> {
    return (await this.#loaded.getIfHere(id)) !== undefined;
  }

  get isClosing(): boolean {
    return this.#loaded.isClosing;
  }

  #named(id: string): Promise<LoadedTask | undefined> {
    checkSessionId(id);
    return this.#loaded.get(id);
  }

  /** Returns whether it was loaded. One broken task must not block the others; `failures`: those that may pass. */
  async #recoverTask(id: string, failures: unknown[]): Promise<boolean> {
    if (this.#loaded.peek(id) || this.#loaded.isClosing) return false;
    try {
      return (await this.#loaded.getIfHere(id)) !== undefined;
    } catch (error) {
      if (isStoreAway(error)) failures.push(error);
      else this.#options.onError(error);
      return false;
    }
  }

  /** Gives up the tasks that other servers took while we were silent. */
  review(): Promise<void> {
    return this.#loaded.review();
  }

  /**
   * Accepts no new work, gives running turns `drainMs` to finish, and leaves the rest to the next start. If there may be
   * heirs, they get each task as soon as no turn of it runs, and prompts that arrive until then wait for them.
   */
  async drain(drainMs: number, findHeirs?: () => Promise<Heirs>): Promise<void> {
    this.#loaded.close();
    clearInterval(this.#sweep);
    const deadline = Date.now() + drainMs;
    const isRunning = ({ state }: Session): boolean => state === 'working';
    for (;;) {
      for (const session of this.all()) session[findHeirs ? 'hold' : 'drain']();
      if (findHeirs) await this.#loaded.handOver(findHeirs, ({ session }) => !isRunning(session));
      if (![...this.all()].some(isRunning) || Date.now() >= deadline) break;
      await sleep(lookMs);
    }
    if (findHeirs) await this.#loaded.handOver(findHeirs, () => true);
    else await this.#loaded.unloadAll();
  }

  /** Drains what is left, and gives up the store. */
  async close(drainMs: number): Promise<void> {
    await this.drain(drainMs);
    const { claims, store, onError, onClosing } = this.#options;
    await onClosing?.();
    await claims.close().catch(onError);
    await store.close().catch(onError);
  }

  async #unloadIdle(): Promise<void> {
    const { idleMs, onError, onExpired } = this.#options;
    const now = Date.now();
    for (const [id, task] of this.#loaded)
      if (isUnused(task) && now - task.usedAt > idleMs) await this.#loaded.unload(id, task).catch(onError);
    for (const id of await this.#oldTasks.find(now)) {
      if (this.#loaded.peek(id) || this.#loaded.isLoading(id)) continue;
      const report = (error: unknown): void => void (isElsewhere(error) || onError(error));
      await this.remove(id).then((isRemoved) => isRemoved && onExpired?.(id), report);
    }
  }
}
