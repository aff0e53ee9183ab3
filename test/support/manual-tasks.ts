import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/domain/errors.js';
import type { CommandRequest, ServerTasks } from '../../src/tasks/server-tasks.js';
import type { CommandOutcome, TaskTools } from '../../src/engine/task-engine.js';
import { Session } from '../../src/session/session.js';
import type { SessionWishes } from '../../src/tasks/sessions.js';
import { type TaskChange, TaskChanges } from '../../src/tasks/task-changes.js';
import { memoryStore } from '../../src/stores/memory.js';
import type { StoredTask, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../../src/stores/store.js';
import { ManualEngine } from './manual-engine.js';

const readFile = { name: 'read_file', description: 'Reads a file', parameterSchema: { type: 'object' } };
const search = { name: 'search', description: 'Searches', parameterSchema: { type: 'object' } };

/** Many tasks on manual engines and a memory store. */
export class ManualTasks implements ServerTasks {
  readonly store = memoryStore();
  readonly engines = new Map<string, ManualEngine>();
  readonly wishes: (SessionWishes | undefined)[] = [];
  readonly ran: CommandRequest[] = [];
  readonly #listeners: ((session: Session) => void)[] = [];
  readonly #changes = new TaskChanges();
  notReady: AppError | undefined;
  readonly #sessions = new Map<string, Session>();

  async get(id: string): Promise<Session | undefined> {
    return this.#sessions.get(id);
  }

  view(id: string): Promise<Session | undefined> {
    return this.get(id);
  }

  turns(query: TurnQuery): Promise<TurnPage> {
    return this.store.turns(query);
  }

  async ofTurn(): Promise<undefined> {
    return undefined;
  }

  async open(id: string = randomUUID(), wishes?: SessionWishes): Promise<Session> {
    const known = this.#sessions.get(id);
    if (known) return known;
    if (wishes?.mustExist) throw new AppError('bad-request', `there is no task "${id}"`);
    this.wishes.push(wishes);
    const engine = new ManualEngine();
    const model = wishes?.model ?? 'scripted';
    const newTurnId = (): string => `${id}.${randomUUID()}`;
    const session = new Session({ id, engine, store: this.store, model, isDurable: true, newTurnId });
    this.engines.set(id, engine);
    this.#sessions.set(id, session);
    for (const listener of this.#listeners) listener(session);
    const createdAt = new Date().toISOString();
    const save = async (): Promise<void> => {
      const task = {
        id,
        contextId: id,
        state: session.state,
        createdAt,
        updatedAt: new Date().toISOString(),
        workspace: wishes?.workspace ?? '/project',
        model: session.agent.model,
        metadata: {},
      };
      await this.store.saveTask(task);
      this.#changes.publish({ type: 'saved', task });
    };
    session.subscribe((event) => void (event.type === 'turn' && save()));
    await save();
    return session;
  }

  onChange(listener: (change: TaskChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  onSession(listener: (session: Session) => void): void {
    this.#listeners.push(listener);
  }

  peek(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.store.tasks(query);
  }

  describe(id: string): Promise<StoredTask | undefined> {
    return this.store.task(id);
  }

  async remove(id: string): Promise<boolean> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.suspend();
    return this.store.deleteTask(id);
  }

  artifacts(id: string) {
    return this.store.artifacts(id);
  }

  artifact(id: string, name: string) {
    return this.store.artifact(id, name);
  }

  async tools(): Promise<TaskTools> {
    return { tools: [readFile], mcpServers: [{ name: 'docs', status: 'connected', tools: [search] }] };
  }

  async commands() {
    return new ManualEngine().commands();
  }

  async runCommand(request: CommandRequest): Promise<CommandOutcome> {
    this.ran.push(request);
    if (request.command === 'stats') return { text: '3 turns' };
    if (request.command !== 'list-extensions')
      throw new AppError('command-refused', `/${request.command} cannot be run from here`);
    const extensions = [{ name: 'my-extension', version: '1.0.0', enabled: true }];
    return { text: 'my-extension 1.0.0', data: { extensions } };
  }

  async checkReady(): Promise<void> {
    if (this.notReady) throw this.notReady;
  }

  get counts() {
    const running = [...this.engines.values()].filter((engine) => !engine.isReady).length;
    const queued = [...this.#sessions.values()].reduce((sum, session) => sum + session.queued, 0);
    return { running, queued, loaded: this.#sessions.size };
  }

  engine(id: string): ManualEngine {
    const engine = this.engines.get(id);
    if (!engine) throw new Error(`no engine of ${id}`);
    return engine;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
  }
}
