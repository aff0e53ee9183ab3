import type { TaskRow } from '../../dialects/endpoint/events.js';
import type { ServerTasks, StoredArtifact, StoredTask } from '../../tasks/server-tasks.js';
import { unknownTask } from '../../tasks/sessions.js';
import { digestOf } from '../../tasks/task-digest.js';
import { defined } from '../../util/defined.js';
import type { ArtifactView, TaskMetadata } from './answer-schemas.js';

/** Rejects with `unknown-task` if there is no such task. */
export async function taskOf(tasks: ServerTasks, id: string): Promise<StoredTask> {
  const task = await tasks.describe(id);
  if (task) return task;
  throw unknownTask(id);
}

/** A task in a list. */
export function toTaskRow(task: StoredTask): TaskRow {
  const { id, contextId, state, createdAt, updatedAt, workspace, model, owner } = task;
  const { pending, ...said } = digestOf(task);
  const times = { createdAt, updatedAt, timestamp: updatedAt };
  return { id, contextId, state, ...said, pending, ...defined({ owner }), workspace, model, ...times };
}

/** `TaskMetadata` of seed 002. The tools are known only if the task is in memory, since reading must not load it. */
export async function metadataOf(tasks: ServerTasks, task: StoredTask): Promise<TaskMetadata> {
  const { id, contextId, state, model } = task;
  const { mcpServers, tools } = tasks.peek(id) ? await tasks.tools(id) : { mcpServers: [], tools: [] };
  const servers = mcpServers.map((server) => ({ ...server, tools: [...server.tools] }));
  return { id, contextId, taskState: state, model, mcpServers: servers, availableTools: [...tools] };
}

export function toArtifactView(taskId: string, { name, mediaType, size, createdAt }: StoredArtifact): ArtifactView {
  const path = [taskId, 'artifacts', ...name.split('/')].map((part) => encodeURIComponent(part)).join('/');
  return { name, mediaType, size, createdAt, url: `/tasks/${path}` };
}
