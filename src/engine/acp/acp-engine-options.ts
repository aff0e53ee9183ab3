import type { McpServer } from '../../domain/mcp-server.js';
import type { Chosen } from './agent-settings.js';

export type AcpEngineOptions = {
  /** The command line of an agent that speaks ACP on its standard input and output, such as `goose acp`. */
  readonly command: string;
  readonly workspace: string;
  /** For the agent; variables that begin with COSESSION_ are left out. */
  readonly env: NodeJS.ProcessEnv;
  /** The mode to work in, by the agent's id of it. */
  readonly mode?: string;
  /** Whether a client may choose that tools run without being asked about. */
  readonly mayAutoExecute?: boolean;
  readonly version: string;
  readonly log: AgentLog;
  /** MCP servers for the agent's session, asked for when it starts. */
  readonly mcpServers?: () => readonly McpServer[];
  /** What `onCheckpoint` gave before a restart. */
  readonly checkpoint?: AcpCheckpoint;
  /** What is needed to go on with the conversation after a restart of the program. */
  readonly onCheckpoint?: (checkpoint: AcpCheckpoint) => void;
};

export type AcpCheckpoint = {
  readonly acpSessionId: string;
  /** Mode and model that clients chose. */
  readonly chosen?: Chosen;
};

export type AgentLog = {
  debug(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
};
