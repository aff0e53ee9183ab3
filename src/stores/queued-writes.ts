import type { Store } from './store.js';
import type { Write } from './write.js';

type Writing = Pick<Store, 'append' | 'saveTask' | 'deleteTask' | 'saveCheckpoint' | 'saveArtifact'>;

/** The writing half of a store, made of a queue. */
export function queuedWrites(push: (write: Write) => Promise<boolean>): Writing {
  return {
    async append(event) {
      const { sessionId, seq, type } = event;
      const isPiece = type === 'text' || type === 'thought';
      await push({ type: 'event', sessionId, seq, body: JSON.stringify(event), isPiece });
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
  };
}
