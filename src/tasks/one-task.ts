import { AppError } from '../domain/errors.js';
import type { ServerTasks, StoredTask } from './server-tasks.js';
import { sessionIdOf, unknownTask } from './sessions.js';

/**
 * One task of a server, for somebody it was shared with. All others appear not to exist, and none can be created. Once the
 * task is deleted, somebody may create another with its id: only the one of that time is meant.
 */
export function oneTask(tasks: ServerTasks, only: string, createdAt: string | undefined): ServerTasks {
  type Known = { readonly id: string; readonly createdAt: string | undefined };
  const isIt = (task: Known | undefined): boolean => task?.id === only && task.createdAt === createdAt;
  const find = async (id: string): Promise<StoredTask | undefined> => {
    const task = id === only ? await tasks.describe(id) : undefined;
    return isIt(task) ? task : undefined;
  };
  /** Looks before anything is loaded, and again at what was: the task may have been replaced in between. */
  const ifIt = async <T extends Known>(id: string, read: () => Promise<T | undefined>): Promise<T | undefined> => {
    const found = (await find(id)) && (await read());
    return isIt(found) ? found : undefined;
  };
  const checkIt = async (id: string): Promise<string> => {
    if (await find(id)) return id;
    throw unknownTask(id);
  };
  return {
    get: (id) => ifIt(id, () => tasks.get(id)),
    view: (id) => ifIt(id, () => tasks.view(id)),
    describe: find,
    ofTurn: (turnId) => ifIt(sessionIdOf(turnId), () => tasks.ofTurn(turnId)),
    async open(id, wishes) {
      if (id !== only)
        throw new AppError('scope-missing', 'this pairing is for one task and cannot create others', {
          details: { scope: 'admin' },
        });
      const session = await ifIt(id, () => tasks.open(id, { ...wishes, mustExist: true }));
      if (!session) throw unknownTask(id);
      return session;
    },
    peek(id) {
      const session = tasks.peek(id);
      return isIt(session) ? session : undefined;
    },
    async list({ state, contextId, updatedSince = '' }) {
      const task = await find(only);
      const isMeant =
        task &&
        (state ?? task.state) === task.state &&
        (contextId ?? task.contextId) === task.contextId &&
        updatedSince <= task.updatedAt;
      return isMeant ? { tasks: [task], total: 1 } : { tasks: [], total: 0 };
    },
    async turns(query) {
      if (query.taskId === undefined && !(await find(only))) return { turns: [], total: 0 };
      return tasks.turns({ ...query, taskId: await checkIt(query.taskId ?? only) });
    },
    // Needs admin, which no link gives.
    remove: () => Promise.resolve(false),
    artifacts: async (id) => tasks.artifacts(await checkIt(id)),
    artifact: async (id, name) => tasks.artifact(await checkIt(id), name),
    tools: async (id) => tasks.tools(await checkIt(id)),
    commands: () => tasks.commands(),
    runCommand: async (request) => tasks.runCommand({ ...request, taskId: await checkIt(request.taskId ?? only) }),
    onSession: (listener) => tasks.onSession((session) => void (isIt(session) && listener(session))),
    onChange: (listener) => tasks.onChange((change) => void (isIt(change.task) && listener(change))),
    get counts() {
      return tasks.counts;
    },
    checkReady: () => tasks.checkReady(),
  };
}
