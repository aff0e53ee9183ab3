import type { Router } from 'express';
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
  readonly tasks: ServerTasks;
  readonly streams: TurnStreams;
  readonly metrics: Metrics;
  readonly version: string;
};

/** All routes of a server of many tasks besides standard A2A. */
export function tasksRoutes({ tasks, streams, metrics, version }: TasksRoutesOptions): Router[] {
  return [
    serverTaskRoutes(tasks),
    taskRoutes(tasks, streams),
    agentStreamRoutes(tasks, streams),
    artifactRoutes(tasks),
    commandRoutes(tasks),
    healthRoutes(tasks, metrics, version),
  ];
}
