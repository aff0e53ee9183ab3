import type { MCPServerConfig } from '@google/gemini-cli-core';
import type { McpServer } from '../../domain/mcp-server.js';

/**
 * The settings' MCP servers and those of the client. The operator's are never replaced by name, and a client's are never
 * trusted: each of their tools is asked about.
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
