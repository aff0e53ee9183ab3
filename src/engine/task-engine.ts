import type { Command } from '../domain/command.js';
import type { McpServer } from '../domain/mcp-server.js';
import type { Engine } from './engine.js';
import type { Json } from '../domain/json.js';

/** An engine that a server opens for one task and closes when the task is put away. */
export type TaskEngine = Engine & {
  tools(): Promise<TaskTools>;
  /** Stops what runs and frees what it holds. */
  dispose(): Promise<void>;
};

export type EngineRequest = {
  readonly id: string;
  readonly workspace: string;
  /** Empty: the server's choice. */
  readonly model: string;
  /** Run tools without asking. */
  readonly autoExecute: boolean;
  /** Whose turn it is when turns have to wait. */
  readonly owner: string;
  /** MCP servers that a client brought, asked for when the engine starts. */
  readonly mcpServers?: () => readonly McpServer[];
  /** What `save` was last given in an earlier life. */
  readonly checkpoint?: Json;
  readonly save: (checkpoint: Json) => Promise<void>;
};

/** What makes engines: gemini-cli-core, or an ACP agent. */
export type Engines = {
  /** The folder a client may work in. Throws when it may not. */
  workspace(requested: string | undefined): string;
  open(request: EngineRequest): TaskEngine;
  /** The task was deleted: deletes what its engines left outside the store. */
  forget?(id: string): Promise<void>;
  /** Commands that need no task. */
  commands(): Promise<readonly Command[]>;
  run(line: string): Promise<CommandOutcome>;
};

export type TaskTools = {
  readonly tools: readonly ToolInfo[];
  readonly mcpServers: readonly {
    readonly name: string;
    readonly status: string;
    readonly tools: readonly ToolInfo[];
  }[];
};

export type ToolInfo = { readonly name: string; readonly description: string; readonly parameterSchema: unknown };

export type CommandOutcome = { readonly text: string; readonly data?: Readonly<Record<string, unknown>> };
