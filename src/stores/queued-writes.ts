import type { SessionEvent } from '../domain/events.js';
import type { Store } from './store.js';
import type { EventWrite, Write } from './write.js';

type Writing = Omit<
  Store,
  | 'read'
  | 'task'
  | 'tasks'
  | 'checkpoint'
  | 'artifacts'
  | 'artifact'
  | 'webhooks'
  | 'tasksToNotify'
  | 'servers'
  | 'holder'
  | 'close'
>;

/** The writing half of a store, made of a queue, for the server of this name. */
export function queuedWrites(server: string, push: (write: Write) => Promise<boolean>): Writing {
  return {
    server,
    async append(event) {
      await push(toWrite(event));
    },
    async saveTask(task) {
      await push({ type: 'task', task, body: JSON.stringify(task) });
    },
    deleteTask: (taskId) => push({ type: 'delete', taskId }),
    async saveCheckpoint(taskId, checkpoint) {
      await push({ type: 'checkpoint', taskId, body: JSON.stringify(checkpoint) });
    },
    async saveArtifact(taskId, artifact, content) {
      await push({ type: 'artifact', taskId, name: artifact.name, body: JSON.stringify(artifact), content });
    },
    async saveWebhooks(taskId, { areOpen, body }) {
      await push({ type: 'webhooks', taskId, areOpen, body: JSON.stringify(body) });
    },
    async saveServer(news) {
      await push({ type: 'server', body: JSON.stringify({ id: server, ...news }) });
    },
    async deleteServer(id) {
      await push({ type: 'delete-server', id });
    },
    claim: (taskId, from) => push({ type: 'claim', taskId, ...(from === undefined ? {} : { from }) }),
    async release(taskId) {
      await push({ type: 'release', taskId });
    },
  };
}

export function toWrite(event: SessionEvent): EventWrite {
  const { sessionId, seq, type } = event;
  const isPiece = type === 'text' || type === 'thought';
  return { type: 'event', sessionId, seq, body: JSON.stringify(event), isPiece };
}
