import { AppError } from '../domain/errors.js';
import type { ServerTasks } from './server-tasks.js';
import { sessionIdOf } from './sessions.js';

/** The tasks of one principal. Tasks of others appear not to exist. */
export function privateTasks(tasks: ServerTasks, owner: string): ServerTasks {
  const isOwn = async (id: string): Promise<boolean> => (await tasks.describe(id))?.owner === owner;
  const own = async (id: string): Promise<string> => {
    if (await isOwn(id)) return id;
    throw new AppError('unknown-task', `Task not found: "${id}"`);
  };
  return {
    get: async (id) => ((await isOwn(id)) ? tasks.get(id) : undefined),
    ofTurn: async (turnId) => ((await isOwn(sessionIdOf(turnId))) ? tasks.ofTurn(turnId) : undefined),
    async open(id, wishes) {
      if (id !== undefined && (await tasks.describe(id))) await own(id);
      const session = await tasks.open(id, { ...wishes, owner });
      // Someone else may have created it first.
      await own(session.id);
      return session;
    },
    view: async (id) => ((await isOwn(id)) ? tasks.view(id) : undefined),
    peek(id) {
      const session = tasks.peek(id);
      return session?.owner === owner ? session : undefined;
    },
    list: (query) => tasks.list({ ...query, owner }),
    turns: (query) => tasks.turns({ ...query, owner }),
    describe: async (id) => ((await isOwn(id)) ? tasks.describe(id) : undefined),
    remove: async (id) => (await isOwn(id)) && tasks.remove(id),
    artifacts: async (id) => tasks.artifacts(await own(id)),
    artifact: async (id, name) => tasks.artifact(await own(id), name),
    tools: async (id) => tasks.tools(await own(id)),
    commands: () => tasks.commands(),
    async runCommand(request) {
      if (request.taskId !== undefined) await own(request.taskId);
      return tasks.runCommand(request);
    },
    onSession: (listener) => tasks.onSession(listener),
    onChange: (listener) => tasks.onChange((change) => void (change.task.owner === owner && listener(change))),
    get counts() {
      return tasks.counts;
    },
    checkReady: () => tasks.checkReady(),
  };
}
