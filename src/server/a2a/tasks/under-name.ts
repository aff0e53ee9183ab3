import type { Message, Task } from '@a2a-js/sdk';

/** The task for a client that has its own name for the context. */
export function underName(task: Task, contextId: string): Task {
  if (task.contextId === contextId) return task;
  const renamed = (message: Message): Message => ({ ...message, contextId });
  return {
    ...task,
    contextId,
    status: task.status && { ...task.status, message: task.status.message && renamed(task.status.message) },
    history: task.history.map(renamed),
  };
}
