import { isPiece, type SessionEvent } from '../../domain/events.js';
import { turnNews } from '../../domain/turn.js';
import { RecentMap } from '../../util/recent-map.js';
import type { Store, StoredTask } from '../store.js';
import { checkpointParts } from './checkpoint-parts.js';
import type { EventWrite, Write } from './write.js';
import type { Found } from './write-queue.js';
import { defined } from '../../util/defined.js';

type Writing = Omit<
  Store,
  | 'read'
  | 'turn'
  | 'turns'
  | 'summary'
  | 'task'
  | 'tasks'
  | 'checkpoint'
  | 'artifacts'
  | 'artifact'
  | 'webhooks'
  | 'tasksToNotify'
  | 'servers'
  | 'usage'
  | 'holder'
  | 'close'
>;

export type QueuedWritesOptions = {
  /** The name of this server. */
  readonly server: string;
  readonly push: (write: Write) => Promise<Found>;
  /** Stores an event; by default it goes through the queue. */
  readonly append?: (event: EventWrite) => Promise<void>;
};

const remembered = 1000;

/** The writing half of a store, made of a queue. Every change carries the epoch under which this server has its task. */
export function queuedWrites({ server, push, append }: QueuedWritesOptions): Writing {
  const epochs = new Map<string, number>();
  /** The epochs of recently deleted tasks: late writes for them match no claim, so a deleted task does not come back. */
  const ended = new RecentMap<string, number>(remembered);
  const epochOf = (taskId: string): number => epochs.get(taskId) ?? ended.get(taskId) ?? 0;
  const under = (taskId: string) => ({ taskId, epoch: epochOf(taskId) });
  const record = (task: StoredTask) => ({ type: 'task', ...under(task.id), task, body: JSON.stringify(task) }) as const;
  const inTurn = async (write: Write): Promise<void> => {
    await push(write);
  };
  return {
    server,
    append: (event) => (append ?? inTurn)(toWrite(event, epochOf(event.sessionId))),
    createTask: (task) => inTurn({ ...record(task), isFirst: true }),
    saveTask: (task) => inTurn(record(task)),
    async deleteTask(taskId) {
      const { epoch } = under(taskId);
      const isFound = await push({ type: 'delete', taskId, epoch });
      if (!isFound) return false;
      ended.set(taskId, epoch);
      epochs.delete(taskId);
      return true;
    },
    saveCheckpoint: (taskId, checkpoint) =>
      inTurn({ type: 'checkpoint', ...under(taskId), ...checkpointParts(checkpoint) }),
    saveSummary: (taskId, summary, turns = []) =>
      inTurn({ type: 'summary', ...under(taskId), body: JSON.stringify(summary), turns }),
    saveArtifact: (taskId, artifact, content) =>
      inTurn({ type: 'artifact', ...under(taskId), name: artifact.name, body: JSON.stringify(artifact), content }),
    saveWebhooks: (taskId, { areOpen, body }) =>
      inTurn({ type: 'webhooks', ...under(taskId), areOpen, body: JSON.stringify(body) }),
    saveServer: ({ leaseMs, ...news }) =>
      inTurn({ type: 'server', leaseMs, body: JSON.stringify({ id: server, ...news }) }),
    saveUsage: (day, body) => inTurn({ type: 'usage', day, body: JSON.stringify(body) }),
    deleteServer: (id) => inTurn({ type: 'delete-server', id }),
    async claim(taskId, from) {
      const epoch = await push({ type: 'claim', taskId, ...defined({ from }) });
      if (typeof epoch !== 'number') return undefined;
      epochs.set(taskId, epoch);
      ended.delete(taskId);
      return epoch;
    },
    async release(taskId, to = '') {
      const release = { type: 'release', ...under(taskId), to } as const;
      epochs.delete(taskId);
      await push(release);
    },
  };
}

function toWrite(event: SessionEvent, epoch = 0): EventWrite {
  const { sessionId: taskId, seq } = event;
  const body = JSON.stringify(event);
  return { type: 'event', taskId, epoch, seq, body, isPiece: isPiece(event), turn: turnNews(event) };
}
