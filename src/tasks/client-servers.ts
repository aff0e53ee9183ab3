import { AppError } from '../domain/errors.js';
import type { McpServer } from '../domain/mcp-server.js';
import { RecentMap } from '../util/recent-map.js';

const serversPerTask = 32;
/** For how many tasks they are remembered; older tasks continue without them. */
const tasks = 1000;

/**
 * MCP servers that clients bring for their tasks. They may contain secrets, so they stay in memory and are never stored:
 * after a server restart, the client that loads the task brings them again. A running engine keeps those it started with.
 */
export class ClientServers {
  readonly #servers = new RecentMap<string, readonly McpServer[]>(tasks);

  /** Throws if there are too many. */
  check(servers: readonly McpServer[]): void {
    if (servers.length > serversPerTask)
      throw new AppError(
        'bad-request',
        `a task can have ${serversPerTask} MCP servers of a client, not ${servers.length}`,
      );
  }

  bring(taskId: string, servers: readonly McpServer[]): void {
    this.#servers.set(taskId, servers);
  }

  of(taskId: string): readonly McpServer[] {
    return this.#servers.get(taskId) ?? [];
  }

  forget(taskId: string): void {
    this.#servers.delete(taskId);
  }
}
