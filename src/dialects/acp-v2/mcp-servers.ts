import type { McpServer as V1Server } from '@agentclientprotocol/sdk';
import { McpServer as AcpMcpServer } from '@agentclientprotocol/sdk/experimental/v2';
import type { McpServer } from '../../domain/mcp-server.js';
import { fromMcpServers as fromV1Servers } from '../acp/mcp-servers.js';

/** In version 2, empty lists may be absent. */
export function fromMcpServersV2(servers: readonly AcpMcpServer[] = []): McpServer[] {
  const known = servers.flatMap((server): V1Server[] => {
    if (AcpMcpServer.isHttp(server)) return [{ headers: [], ...server }];
    return AcpMcpServer.isStdio(server) ? [{ args: [], env: [], ...server }] : [];
  });
  return fromV1Servers(known);
}
