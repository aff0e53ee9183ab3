import type { McpServer as AcpMcpServer } from '@agentclientprotocol/sdk';
import type { McpServer } from '../../domain/mcp-server.js';

export function fromMcpServers(servers: readonly AcpMcpServer[] = []): McpServer[] {
  return servers.map((server) => {
    const { name } = server;
    if ('url' in server) return { name, type: server.type, url: server.url, headers: toRecord(server.headers) };
    return { name, type: 'stdio', command: server.command, args: server.args, env: toRecord(server.env) };
  });
}

function toRecord(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
