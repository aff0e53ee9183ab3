import * as z from 'zod';
import { taskRow } from '../../dialects/endpoint/task-row-schema.js';
import { openQuestion } from '../../dialects/endpoint/tool-call-schemas.js';

/** What our own routes answer. The views are typed by these schemas, and /openapi.json is generated from them. */

const state = z.enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected']);
const time = z.string().describe('ISO 8601 in UTC');

/** How a new task is described to the client that created it. */
export const newTask = z.object({ taskId: z.string(), contextId: z.string(), state });

export const accepted = z.object({ accepted: z.literal(true), taskId: z.string() });

export const taskPage = z.object({
  tasks: z.array(taskRow),
  total: z.int().describe('how many tasks match, on all pages'),
  nextPageToken: z.string().exactOptional().describe('absent on the last page'),
});

export const artifactView = z.object({
  name: z.string(),
  mediaType: z.string(),
  size: z.int().describe('in bytes'),
  createdAt: time,
  url: z.string().describe('where to download it, below the address of the server'),
});

export const artifactList = z.object({ artifacts: z.array(artifactView) });

const message = z.object({
  kind: z.literal('message'),
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(z.object({ kind: z.literal('text'), text: z.string() })),
});

/** A task with its history, on every endpoint. */
export const describedTask = z.object({
  kind: z.literal('task'),
  id: z.string(),
  contextId: z.string(),
  status: z.object({ state }),
  history: z.array(message),
  metadata: z.looseObject({
    model: z.string(),
    seq: z.int().describe('the newest event'),
    queued: z.int().describe('prompts that wait'),
    pending: z.array(openQuestion).describe('open questions'),
  }),
});

/** The same on a server of many tasks. */
export const serverTask = describedTask.extend({ ...taskRow.shape, artifacts: z.array(artifactView) });

const tool = z.object({ name: z.string(), description: z.string(), parameterSchema: z.unknown() });

export const taskMetadata = z.object({
  id: z.string(),
  contextId: z.string(),
  taskState: state,
  model: z.string(),
  mcpServers: z.array(z.object({ name: z.string(), status: z.string(), tools: z.array(tool) })),
  availableTools: z.array(tool).describe('empty if the task is not in memory'),
});

/** Commands contain commands. */
export const slashCommand = z.object({
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), isRequired: z.boolean() })),
  get subCommands() {
    return z.array(slashCommand);
  },
});

export const commandList = z.object({ commands: z.array(slashCommand) });

export const commandResult = z.looseObject({ text: z.string() }).describe('and what else the command returned');

export const health = z.object({
  status: z.literal('healthy'),
  uptime: z.number().describe('in seconds'),
  activeTasks: z.int(),
  totalTasks: z.int(),
  version: z.string(),
});

export const ready = z.object({ status: z.literal('ready') });

export const draining = z.object({
  status: z.literal('draining'),
  running: z.int().describe('turns that may still finish'),
});

const clusterServer = z.object({
  id: z.string(),
  url: z.string().optional(),
  leftMs: z.int().describe('of its lease'),
  version: z.string().optional(),
  loaded: z.int().optional().describe('tasks that it runs'),
  running: z.int().optional(),
  queued: z.int().optional(),
  mirrors: z.int().optional().describe('tasks of other servers that its clients follow'),
  clients: z.int().optional().describe('that take part in tasks'),
  isDraining: z.boolean().optional().describe('whether it is stopping: it gets no new tasks'),
  labels: z.array(z.string()).optional().describe('of the workspaces that only it and others with the label have'),
});

export const clusterStatus = z.object({
  server: z.string().describe('the one that answered'),
  isConnected: z.boolean().describe('whether it reaches the bus'),
  servers: z.array(clusterServer).describe('one that does not answer has no figures'),
});

export type ArtifactView = z.infer<typeof artifactView>;
export type TaskMetadata = z.infer<typeof taskMetadata>;
