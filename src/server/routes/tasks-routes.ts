import type { Router } from 'express';
import type { Principal } from '../../auth/principal.js';
import type { ServerTasks } from '../../session/server-tasks.js';
import type { Metrics } from '../metrics.js';
import type { TurnStreams } from '../turn-streams.js';
import { agentStreamRoutes } from './agent-streams.js';
import { artifactRoutes } from './artifacts.js';
import { commandRoutes } from './commands.js';
import { healthRoutes } from './health.js';
import { serverTaskRoutes } from './server-tasks.js';
import { taskRoutes } from './tasks.js';

export type TasksRoutesOptions = {
  /** All of them, for what is told of the server as a whole. */
  readonly tasks: ServerTasks;
  readonly tasksFor: TasksFor;
  readonly streams: TurnStreams;
  readonly metrics: Metrics;
  readonly version: string;
};

/** The tasks that a caller may see. */
export type TasksFor = (principal: Principal) => ServerTasks;

/** All routes of a server of many tasks besides standard A2A. */
export function tasksRoutes({ tasks, tasksFor, streams, metrics, version }: TasksRoutesOptions): Router[] {
  return [
    serverTaskRoutes(tasksFor),
    taskRoutes(tasksFor, streams),
    agentStreamRoutes(tasksFor, streams),
    artifactRoutes(tasksFor),
    commandRoutes(tasksFor),
    healthRoutes(tasks, metrics, version),
  ];
}
