import type { McpServer } from '../../../domain/mcp-server.js';

/** How an agent can reach MCP servers, apart from starting them itself. */
export type McpAbilities = { readonly http: boolean; readonly sse: boolean };

/** The servers that the agent can use, in the form that the protocol expects. */
export function toAgentServers(servers: readonly McpServer[], can: McpAbilities): object[] {
  return servers
    .filter((server) => isUsable(server, can))
    .map((server) => {
      const { name } = server;
      if (server.type === 'stdio') {
        const { command, args, env } = server;
        return { name, command, args, env: toPairs(env) };
      }
      return { name, type: server.type, url: server.url, headers: toPairs(server.headers) };
    });
}

export function isUsable({ type }: McpServer, can: McpAbilities): boolean {
  return type === 'stdio' || can[type];
}

function toPairs(record: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}
