import type { ServerTasks } from './server-tasks.js';
import type { Session } from './session.js';

export type TasksObserver = {
  /** Told of each session once, before anybody gets hold of it. */
  readonly onSession: (session: Session) => void;
  /** Told of a task whenever somebody asks for it. */
  readonly onUse: (taskId: string) => void;
};

/** The same tasks, observed. */
export function observedTasks(tasks: ServerTasks, { onSession, onUse }: TasksObserver): ServerTasks {
  const known = new WeakSet<Session>();
  const tell = <Found extends Session | undefined>(session: Found): Found => {
    if (session) onUse(session.id);
    if (session && !known.has(session)) {
      known.add(session);
      onSession(session);
    }
    return session;
  };
  return {
    get: async (id) => tell(await tasks.get(id)),
    ofTurn: async (turnId) => tell(await tasks.ofTurn(turnId)),
    open: async (id, wishes) => tell(await tasks.open(id, wishes)),
    loadRecent: async () => tasks.loadRecent?.(),
    all: () => tasks.all(),
    list: (query) => tasks.list(query),
    describe: (id) => tasks.describe(id),
    remove: (id) => tasks.remove(id),
    artifacts: (id) => tasks.artifacts(id),
    artifact: (id, name) => tasks.artifact(id, name),
    tools: (id) => tasks.tools(id),
    commands: () => tasks.commands(),
    runCommand: (request) => tasks.runCommand(request),
    get counts() {
      return tasks.counts;
    },
    get notReady() {
      return tasks.notReady;
    },
  };
}
