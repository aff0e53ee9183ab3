import type { MCPServerConfig } from '@google/gemini-cli-core';
import type { McpServer } from '../../domain/mcp-server.js';

/**
 * The MCP servers of the settings and of the client. A client's server never replaces one of the operator's with the
 * same name, and is never trusted: each of its tools needs approval.
 */
export function withClientServers(
  ofSettings: Readonly<Record<string, MCPServerConfig>> = {},
  ofClient: readonly McpServer[],
  workspace: string,
): Record<string, MCPServerConfig> {
  return { ...Object.fromEntries(ofClient.map((server) => [server.name, toConfig(server, workspace)])), ...ofSettings };
}

function toConfig(server: McpServer, cwd: string): MCPServerConfig {
  if (server.type === 'stdio') {
    const { command, args, env } = server;
    return { command, args: [...args], env: { ...env }, cwd };
  }
  return { type: server.type, url: server.url, headers: { ...server.headers } };
}
