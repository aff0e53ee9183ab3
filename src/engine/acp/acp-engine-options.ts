import type { McpServer } from '../../domain/mcp-server.js';
import type { Chosen } from './agent-settings.js';

export type AcpEngineOptions = {
  /** The command line of an agent that speaks ACP on its standard input and output, such as `goose acp`. */
  readonly command: string;
  readonly workspace: string;
  /** The agent's environment. Variables that begin with COSESSION_ are left out. */
  readonly env: NodeJS.ProcessEnv;
  /** The agent's id of the mode to work in. */
  readonly mode?: string;
  /** Whether clients may choose to run tools without asking. */
  readonly mayAutoExecute?: boolean;
  readonly version: string;
  readonly log: AgentLog;
  /** MCP servers for the agent's session. Read when it starts. */
  readonly mcpServers?: () => readonly McpServer[];
  /** The last value passed to `onCheckpoint` before a restart. */
  readonly checkpoint?: AcpCheckpoint;
  /** Receives what is needed to continue the conversation after the program restarts. */
  readonly onCheckpoint?: (checkpoint: AcpCheckpoint) => void;
};

export type AcpCheckpoint = {
  readonly acpSessionId: string;
  /** The mode and the model that clients chose. */
  readonly chosen?: Chosen;
};

export type AgentLog = {
  debug(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
};
