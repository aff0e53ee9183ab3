import { AppError } from '../domain/errors.js';
import type { McpServer } from '../domain/mcp-server.js';
import { RecentMap } from '../util/recent-map.js';

const serversPerTask = 32;
/** Of so many tasks they are known; older ones go on without. */
const tasks = 1000;

/**
 * MCP servers that clients bring for their tasks. They may hold secrets, so they are kept in memory and never stored: after
 * a restart of the server whoever loads the task brings them again. An engine that runs keeps those it was opened with.
 */
export class ClientServers {
  readonly #servers = new RecentMap<string, readonly McpServer[]>(tasks);

  /** Throws when there are too many. */
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
