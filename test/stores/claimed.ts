import type { Store } from '../../src/stores/store.js';

/** The store of a server that claims every task before it changes it, as a registry does. */
export function claimed(store: Store): Store {
  /** Until the last change of each task was requested. */
  const requested = new Map<string, Promise<unknown>>();
  async function after<T>(taskId: string, change: () => Promise<T>): Promise<T> {
    const before = requested.get(taskId) ?? store.claim(taskId);
    const request = before.then(() => ({ result: change() }));
    requested.set(taskId, request);
    return (await request).result;
  }
  return {
    ...store,
    append: (event) => after(event.sessionId, () => store.append(event)),
    saveTask: (task) => after(task.id, () => store.saveTask(task)),
    saveCheckpoint: (taskId, checkpoint) => after(taskId, () => store.saveCheckpoint(taskId, checkpoint)),
    saveSummary: (taskId, ...summary) => after(taskId, () => store.saveSummary(taskId, ...summary)),
    saveArtifact: (taskId, ...artifact) => after(taskId, () => store.saveArtifact(taskId, ...artifact)),
    saveWebhooks: (taskId, webhooks) => after(taskId, () => store.saveWebhooks(taskId, webhooks)),
    deleteTask(taskId) {
      const deleted = after(taskId, () => store.deleteTask(taskId));
      const request = requested.get(taskId)?.then(() => store.claim(taskId));
      if (request) requested.set(taskId, request);
      return deleted;
    },
  };
}
