import type { Principal } from '../../auth/principal.js';
import type { Doer } from '../../domain/audit.js';
import type { ServerTasks } from '../../tasks/server-tasks.js';
import type { ListStreams } from '../endpoint/list-streams.js';
import type { Metrics } from '../observe/metrics.js';
import { agentStreamRoutes } from './agent-streams.js';
import { artifactRoutes } from './artifacts.js';
import { type AuditContext, auditRoutes } from './audit.js';
import { clusterRoutes } from './cluster.js';
import { commandRoutes } from './commands.js';
import { type FilesContext, fileRoutes } from './files.js';
import { healthRoutes } from './health.js';
import type { Route } from './route.js';
import { taskRoutes } from './tasks.js';
import { type TurnContext, turnRoutes } from './turns.js';

export type ServerContext = TurnContext &
  FilesContext &
  AuditContext & {
    /** All tasks, for facts about the server as a whole. */
    readonly tasks: ServerTasks;
    /** The tasks that a caller may see. */
    readonly tasksFor: (principal: Principal) => ServerTasks;
    readonly taskCount: () => Promise<number>;
    readonly lists: ListStreams;
    readonly metrics: Metrics;
    readonly version: string;
    /** The servers of the cluster, if there is one. */
    readonly clusterStatus?: () => Promise<object>;
    /** Stops the server as a signal would. */
    readonly drain?: (by: Doer) => void;
  };

/** A server of many tasks. */
export const serverRoutes: readonly Route<ServerContext>[] = [
  ...taskRoutes,
  ...artifactRoutes,
  ...turnRoutes,
  ...fileRoutes,
  ...agentStreamRoutes,
  ...commandRoutes,
  ...healthRoutes,
  ...auditRoutes,
  ...clusterRoutes,
];
