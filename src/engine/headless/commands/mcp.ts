import type { Action, CommandResult, TaskContext } from './command.js';
import { defined } from '../../../util/defined.js';

export const listServers: Action = {
  needsTask: true,
  run: (context) => Promise.resolve(describeServers(context)),
};

export const refreshServers: Action = {
  needsTask: true,
  async run(context) {
    context.say('Starting the MCP servers again…');
    await context.config.getMcpClientManager()?.restart();
    return describeServers(context);
  },
};

/** Asks this session's own clients, because core has one list of states for all sessions of the process. */
function describeServers({ core, config }: TaskContext): CommandResult {
  const manager = config.getMcpClientManager();
  const servers = Object.keys(manager?.getMcpServers() ?? {}).map((name) => {
    const error = manager?.getLastError(name);
    return {
      name,
      status: manager?.getClient(name)?.getStatus() ?? core.MCPServerStatus.DISCONNECTED,
      tools: config.toolRegistry
        .getToolsByServer(name)
        .map((tool) => (tool instanceof core.DiscoveredMCPTool ? tool.serverToolName : tool.name)),
      ...defined({ error }),
    };
  });
  const lines = servers.map(({ name, status, tools, error }) => {
    const names = tools.length > 0 ? `: ${tools.join(', ')}` : '';
    return `${name} (${status})${names}${error === undefined ? '' : `: ${error}`}`;
  });
  return { text: lines.length > 0 ? lines.join('\n') : 'There are no MCP servers.', data: { servers } };
}
