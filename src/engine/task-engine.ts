import type { Command } from '../domain/command.js';
import type { McpServer } from '../domain/mcp-server.js';
import type { Engine } from './engine.js';
import type { Json } from '../domain/json.js';

/** An engine that a server opens for one task and closes when the task is unloaded. */
export type TaskEngine = Engine & {
  tools(): Promise<TaskTools>;
  /** Stops everything that runs and frees its resources. */
  dispose(): Promise<void>;
};

export type EngineRequest = {
  readonly id: string;
  readonly workspace: string;
  /** Empty: the server chooses. */
  readonly model: string;
  /** Run tools without asking. */
  readonly autoExecute: boolean;
  /** The principal in whose name the task waits at the gate. */
  readonly owner: string;
  /** MCP servers that a client brought. Read when the engine starts. */
  readonly mcpServers?: () => readonly McpServer[];
  /** What an earlier engine of this task last passed to `save`, as a whole. */
  readonly checkpoint?: Json;
  /** The checkpoint may continue the last one. */
  readonly save: (checkpoint: Json) => Promise<void>;
};

/** Creates engines, on gemini-cli-core or on an ACP agent. */
export type Engines = {
  /** Resolves the folder that a client asks to work in. Throws if the client may not work there. */
  workspace(requested: string | undefined): string;
  open(request: EngineRequest): TaskEngine;
  /** Called when the task was deleted: deletes what its engines left outside the store. */
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
