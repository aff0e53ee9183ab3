import type { ServerTasks } from './server-tasks.js';
import type { SessionView } from './stored-session.js';

/** The same tasks; `onUse` is called whenever someone asks for a task's session or reads it. */
export function observedTasks(tasks: ServerTasks, onUse: (taskId: string) => void): ServerTasks {
  const noted = <Found extends SessionView | undefined>(session: Found): Found => {
    if (session) onUse(session.id);
    return session;
  };
  return {
    get: async (id) => noted(await tasks.get(id)),
    ofTurn: async (turnId) => noted(await tasks.ofTurn(turnId)),
    open: async (id, wishes) => noted(await tasks.open(id, wishes)),
    view: async (id) => noted(await tasks.view(id)),
    all: () => tasks.all(),
    list: (query) => tasks.list(query),
    turns: (query) => tasks.turns(query),
    describe: (id) => tasks.describe(id),
    remove: (id) => tasks.remove(id),
    artifacts: (id) => tasks.artifacts(id),
    artifact: (id, name) => tasks.artifact(id, name),
    tools: (id) => tasks.tools(id),
    commands: () => tasks.commands(),
    runCommand: (request) => tasks.runCommand(request),
    onSession: (listener) => tasks.onSession(listener),
    get counts() {
      return tasks.counts;
    },
    checkReady: () => tasks.checkReady(),
  };
}
