import { AppError } from '../domain/errors.js';
import type { ServerTasks } from './server-tasks.js';
import { sessionIdOf, unknownTask } from './sessions.js';

/** One task of a server, for somebody it was shared with. All others appear not to exist, and none can be created. */
export function oneTask(tasks: ServerTasks, only: string): ServerTasks {
  const ifIt = <T>(id: string, read: () => Promise<T>): Promise<T | undefined> =>
    id === only ? read() : Promise.resolve(undefined);
  const checkIt = (id: string): string => {
    if (id === only) return id;
    throw unknownTask(id);
  };
  return {
    get: (id) => ifIt(id, () => tasks.get(id)),
    view: (id) => ifIt(id, () => tasks.view(id)),
    describe: (id) => ifIt(id, () => tasks.describe(id)),
    ofTurn: (turnId) => ifIt(sessionIdOf(turnId), () => tasks.ofTurn(turnId)),
    async open(id, wishes) {
      if (id !== only)
        throw new AppError('scope-missing', 'this pairing is for one task and cannot create others', {
          details: { scope: 'admin' },
        });
      return tasks.open(id, { ...wishes, mustExist: true });
    },
    all: () => [...tasks.all()].filter(({ id }) => id === only),
    async list({ state, contextId, updatedSince = '' }) {
      const task = await tasks.describe(only);
      const isMeant =
        task &&
        (state ?? task.state) === task.state &&
        (contextId ?? task.contextId) === task.contextId &&
        updatedSince <= task.updatedAt;
      return isMeant ? { tasks: [task], total: 1 } : { tasks: [], total: 0 };
    },
    turns: (query) => tasks.turns({ ...query, taskId: checkIt(query.taskId ?? only) }),
    // Needs admin, which no link gives.
    remove: () => Promise.resolve(false),
    artifacts: async (id) => tasks.artifacts(checkIt(id)),
    artifact: async (id, name) => tasks.artifact(checkIt(id), name),
    tools: async (id) => tasks.tools(checkIt(id)),
    commands: () => tasks.commands(),
    runCommand: async (request) => tasks.runCommand({ ...request, taskId: checkIt(request.taskId ?? only) }),
    onSession: (listener) => tasks.onSession((session) => void (session.id === only && listener(session))),
    onChange: (listener) => tasks.onChange((change) => void (change.task.id === only && listener(change))),
    get counts() {
      return tasks.counts;
    },
    checkReady: () => tasks.checkReady(),
  };
}
