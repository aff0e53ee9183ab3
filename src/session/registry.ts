import { randomUUID } from 'node:crypto';
import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import { isTurnEnd, type SessionEvent, type TurnState } from '../domain/events.js';
import type { Json, StoredArtifact, StoredTask, TaskPage, TaskQuery } from '../stores/store.js';
import { allTasks } from './all-tasks.js';
import { applyPolicy } from './approval-policy.js';
import { loadEvents } from './load-events.js';
import { RecordKeeper } from './record-keeper.js';
import type { RegistryOptions } from './registry-options.js';
import { runInSession } from './run-in-session.js';
import type { CommandOutcome, CommandRequest, ServerTasks, TaskTools } from './server-tasks.js';
import { Session } from './session.js';
import type { SessionWishes } from './sessions.js';
import type { TaskEngine } from './task-engine.js';

/** What an earlier session of the task left. */
type Life = { readonly earlier: readonly SessionEvent[]; readonly checkpoint?: Json };

type Entry = {
  readonly session: Session;
  readonly engine: TaskEngine;
  readonly keeper: RecordKeeper;
  readonly stopPolicy: () => void;
  usedAt: number;
};

/** How many contexts a list of A2A tasks covers beside those in memory. */
const recentTasks = 50;
const maxIdLength = 256;
const unfinished: readonly TurnState[] = ['working', 'input-required', 'submitted'];

/** The sessions of a server: opened when they are asked for, put away when nobody needs them, taken up after a restart. */
export class Registry implements ServerTasks {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, Entry>();
  /** Being opened: two who ask for the same one get the same one. */
  readonly #opening = new Map<string, Promise<Entry | undefined>>();
  /** Being put away: whoever asks for one of them waits until the store has all of it. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #sweep: NodeJS.Timeout;
  #isClosing = false;
  #lastCleaning = Date.now();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => void this.#putAwayIdle().catch(options.onError), Math.min(options.idleMs, 30_000));
    this.#sweep.unref();
  }

  async get(id: string): Promise<Session | undefined> {
    return (await this.#entry(id))?.session;
  }

  /** A turn's id begins with its session's. */
  async ofTurn(turnId: string): Promise<Session | undefined> {
    const end = turnId.lastIndexOf('.');
    return end < 0 ? undefined : this.get(turnId.slice(0, end));
  }

  async open(id: string = randomUUID(), wishes: SessionWishes = {}): Promise<Session> {
    if (id === '' || id.length > maxIdLength)
      throw new AppError('bad-request', `an id has from 1 to ${maxIdLength} characters`);
    const entry = (await this.#entry(id)) ?? (await this.#once(id, () => this.#create(id, wishes)));
    if (!entry) throw new AppError('unknown-task', `task "${id}" is being removed`);
    return entry.session;
  }

  async loadRecent(): Promise<void> {
    for (const { id } of (await this.list({ limit: recentTasks })).tasks) await this.#entry(id);
  }

  *all(): Iterable<Session> {
    for (const { session } of this.#entries.values()) yield session;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.#options.store.tasks(query);
  }

  async describe(id: string): Promise<StoredTask | undefined> {
    return this.#entries.get(id)?.keeper.record ?? this.#options.store.task(id);
  }

  async remove(id: string): Promise<boolean> {
    const entry = this.#entries.get(id) ?? (await this.#opening.get(id));
    // Until it is deleted nobody can open it again.
    return this.#leave(id, async () => {
      if (entry) await this.#stop(entry);
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
    if (!entry) throw unknown(id);
    return entry.engine.tools();
  }

  commands(): Promise<readonly Command[]> {
    return this.#options.engines.commands();
  }

  async runCommand({ command, args, taskId }: CommandRequest): Promise<CommandOutcome> {
    const line = [command.replace(/^\//, ''), ...args].join(' ');
    if (taskId === undefined) return this.#options.engines.run(line);
    const session = await this.get(taskId);
    if (!session) throw unknown(taskId);
    return runInSession(session, line);
  }

  get counts() {
    const { running, queued } = this.#options.load();
    return { running, queued, loaded: this.#entries.size };
  }

  get notReady(): string | undefined {
    if (this.#isClosing) return 'the server is shutting down';
    return this.#options.load().isFull ? 'the server is full: as many turns wait as may' : undefined;
  }

  /** Takes up what a crash or a restart interrupted: questions are asked again, queued prompts run. */
  async recover(): Promise<number> {
    let count = 0;
    for (const state of unfinished) {
      for await (const task of allTasks(this.#options.store, { limit: 100, state })) {
        // A task is titled by its first prompt.
        if (state === 'submitted' && !('title' in task.metadata)) continue;
        // One that cannot be taken up does not keep the others from it.
        const entry = await this.#entry(task.id).catch(this.#options.onError);
        if (entry) count++;
      }
    }
    return count;
  }

  /** Takes no new work, lets running turns end for `drainMs`, and leaves the rest to the next start. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#sweep);
    const deadline = Date.now() + drainMs;
    const isRunning = (): boolean => [...this.all()].some((session) => session.state === 'working');
    while (isRunning() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([...this.#entries].map(([id, entry]) => this.#putAway(id, entry)));
    await this.#options.store.close();
  }

  async #entry(id: string): Promise<Entry | undefined> {
    await this.#leaving.get(id);
    const entry = this.#entries.get(id) ?? (await this.#once(id, () => this.#load(id)));
    if (entry) entry.usedAt = Date.now();
    return entry;
  }

  #once(id: string, make: () => Promise<Entry | undefined>): Promise<Entry | undefined> {
    const known = this.#opening.get(id);
    if (known) return known;
    const made = Promise.resolve()
      .then(make)
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, made);
    return made;
  }

  async #load(id: string): Promise<Entry | undefined> {
    const { store } = this.#options;
    if (this.#isClosing) throw new AppError('not-ready', 'the server is shutting down');
    const record = await store.task(id);
    if (!record) return undefined;
    const [checkpoint, earlier] = await Promise.all([store.checkpoint(id), loadEvents(store, id)]);
    return this.#start(record, { earlier, ...(checkpoint === undefined ? {} : { checkpoint }) });
  }

  async #create(id: string, wishes: SessionWishes): Promise<Entry> {
    const { store, engines, mayAutoExecute } = this.#options;
    if (this.#isClosing) throw new AppError('not-ready', 'the server is shutting down');
    if (wishes.autoExecute && !mayAutoExecute)
      throw new AppError(
        'bad-request',
        'this server asks about every tool: start it with --allow-auto-execute to change that',
      );
    await this.#makeRoom();
    const now = new Date().toISOString();
    const record: StoredTask = {
      id,
      contextId: id,
      state: 'submitted',
      createdAt: now,
      updatedAt: now,
      ...(wishes.owner === undefined ? {} : { owner: wishes.owner }),
      workspace: engines.workspace(wishes.workspace),
      model: wishes.model ?? '',
      metadata: wishes.autoExecute ? { autoExecute: true } : {},
    };
    await store.saveTask(record);
    return this.#start(record, { earlier: [] });
  }

  #start(record: StoredTask, life: Life): Entry {
    const { store, engines, policy, maxQueued, turnEnd, onError } = this.#options;
    const { id, workspace, model, owner = '', metadata } = record;
    const engine = engines.open({
      id,
      workspace,
      model,
      autoExecute: metadata['autoExecute'] === true,
      owner,
      ...(life.checkpoint === undefined ? {} : { checkpoint: life.checkpoint }),
      save: (checkpoint) => store.saveCheckpoint(id, checkpoint),
    });
    const session = new Session({
      id,
      engine,
      store,
      model,
      maxQueued,
      ...(turnEnd === undefined ? {} : { turnEnd }),
      isDurable: true,
      earlier: life.earlier,
      newTurnId: () => `${id}.${randomUUID()}`,
      onError,
    });
    const keeper = new RecordKeeper({ store, session, record, keptUntil: life.earlier.at(-1)?.seq ?? 0, onError });
    const entry: Entry = { session, engine, keeper, stopPolicy: applyPolicy(session, policy), usedAt: Date.now() };
    this.#entries.set(id, entry);
    return entry;
  }

  async #makeRoom(): Promise<void> {
    // The one that needs the room is being opened.
    if (this.#entries.size + this.#opening.size <= this.#options.maxLoaded) return;
    const [oldest] = [...this.#entries]
      .filter(([, entry]) => isIdle(entry))
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!oldest)
      throw new AppError(
        'not-ready',
        `${this.#options.maxLoaded} tasks are in use, which is the limit; try again later`,
      );
    await this.#putAway(...oldest);
  }

  async #putAwayIdle(): Promise<void> {
    const { idleMs } = this.#options;
    const now = Date.now();
    for (const [id, entry] of this.#entries) {
      if (isIdle(entry) && now - entry.usedAt > idleMs) await this.#putAway(id, entry);
    }
    await this.#deleteOld(now);
  }

  async #deleteOld(now: number): Promise<void> {
    const { ttlMs } = this.#options;
    if (ttlMs === undefined || now - this.#lastCleaning < Math.min(ttlMs, 3_600_000) / 2) return;
    this.#lastCleaning = now;
    const oldest = new Date(now - ttlMs).toISOString();
    const old: string[] = [];
    for await (const task of allTasks(this.#options.store, { limit: 500 }))
      if (task.updatedAt < oldest) old.push(task.id);
    for (const id of old) if (!this.#entries.has(id) && !this.#opening.has(id)) await this.remove(id);
  }

  /** Everything is in the store; whoever asks for the task again gets it from there. */
  #putAway(id: string, entry: Entry): Promise<void> {
    return this.#leave(id, () => this.#stop(entry));
  }

  #leave<T>(id: string, end: () => Promise<T>): Promise<T> {
    this.#entries.delete(id);
    const ended = end();
    const left = ended.catch(() => undefined).then(() => void this.#leaving.delete(id));
    this.#leaving.set(id, left);
    return ended;
  }

  async #stop({ session, engine, keeper, stopPolicy }: Entry): Promise<void> {
    stopPolicy();
    await session.suspend().catch(this.#options.onError);
    await engine.dispose();
    await keeper.stop();
  }
}

function isIdle({ session: { state, queued, isWatched } }: Entry): boolean {
  return (isTurnEnd(state) || state === 'submitted') && queued === 0 && !isWatched;
}

function unknown(id: string): AppError {
  return new AppError('unknown-task', `there is no task "${id}"`);
}
