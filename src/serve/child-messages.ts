import type { Command } from '../domain/command.js';
import type { McpServer } from '../domain/mcp-server.js';
import type { Answer, ToolCall } from '../domain/tool-call.js';
import type { EngineEvent, TurnRequest } from '../engine/engine.js';
import type { TaskTools } from '../session/server-tasks.js';
import type { EngineRequest } from '../session/task-engine.js';
import type { Json } from '../stores/store.js';
import type { HeadlessEnginesOptions } from './headless-engines.js';

/** What the process of a task must know; all of it is plain JSON. */
export type ChildOptions = Omit<HeadlessEnginesOptions, 'gate' | 'onProblem' | 'onError'>;

export type ChildRequest = Omit<EngineRequest, 'save' | 'mcpServers'> & { readonly mcpServers: readonly McpServer[] };

export type ToChild =
  | { readonly type: 'open'; readonly options: ChildOptions; readonly request: ChildRequest }
  | { readonly type: 'start'; readonly request: TurnRequest }
  | { readonly type: 'resume'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'answer'; readonly callId: string; readonly answer: Answer }
  | { readonly type: 'cancel' }
  | { readonly type: 'tools' }
  /** A checkpoint is stored, or everything that was reported. */
  | { readonly type: 'saved'; readonly number: number; readonly error?: string };

export type FromChild =
  | { readonly type: 'opened'; readonly commands: readonly Command[] }
  | { readonly type: 'report'; readonly event: EngineEvent; readonly commands?: readonly Command[] }
  | { readonly type: 'save'; readonly number: number; readonly checkpoint: Json }
  /** Asks to be told when everything that was reported is stored. */
  | { readonly type: 'flush'; readonly number: number }
  | { readonly type: 'tools'; readonly tools?: TaskTools; readonly error?: string }
  | { readonly type: 'problem'; readonly text: string };
