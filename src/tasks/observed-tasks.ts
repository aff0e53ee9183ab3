import type { SessionPort } from '../session/session-port.js';
import type { ServerTasks } from './server-tasks.js';
import type { SessionView } from './stored-session.js';

export type TasksObserver = {
  /** Someone asks for a task's session or reads it. */
  readonly onUse?: (taskId: string) => void;
  /** Somebody gets a task's session, to take part in it. */
  readonly onFound?: (session: SessionPort) => void;
  /** A task was deleted on request. */
  readonly onRemoved?: (taskId: string) => void;
  /** A command runs outside any task. */
  readonly onCommand?: (command: string) => void;
};

/** The same tasks, observed: what callers do with them is reported. */
export function observedTasks(tasks: ServerTasks, observer: TasksObserver): ServerTasks {
  const { onUse, onFound, onRemoved, onCommand } = observer;
  const noted = <Found extends SessionView | undefined>(session: Found): Found => {
    if (session) onUse?.(session.id);
    return session;
  };
  const found = <Found extends SessionPort | undefined>(session: Found): Found => {
    if (session) onFound?.(session);
    return noted(session);
  };
  return {
    get: async (id) => found(await tasks.get(id)),
    ofTurn: async (turnId) => found(await tasks.ofTurn(turnId)),
    open: async (id, wishes) => found(await tasks.open(id, wishes)),
    view: async (id) => noted(await tasks.view(id)),
    peek: (id) => tasks.peek(id),
    list: (query) => tasks.list(query),
    turns: (query) => tasks.turns(query),
    describe: (id) => tasks.describe(id),
    async remove(id) {
      const isRemoved = await tasks.remove(id);
      if (isRemoved) onRemoved?.(id);
      return isRemoved;
    },
    artifacts: (id) => tasks.artifacts(id),
    artifact: (id, name) => tasks.artifact(id, name),
    tools: (id) => tasks.tools(id),
    commands: () => tasks.commands(),
    runCommand(request) {
      if (request.taskId === undefined) onCommand?.(request.command);
      return tasks.runCommand(request);
    },
    onSession: (listener) => tasks.onSession(listener),
    onChange: (listener) => tasks.onChange(listener),
    get counts() {
      return tasks.counts;
    },
    checkReady: () => tasks.checkReady(),
  };
}
