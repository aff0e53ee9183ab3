import type { Choices } from '../../domain/choices.js';
import type { Command } from '../../domain/command.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { McpServer } from '../../domain/mcp-server.js';
import type { Answer } from '../../domain/tool-call.js';
import type { EngineEvent, InterruptedTurn, TurnRequest } from '../engine.js';
import type { EngineRequest, TaskTools } from '../task-engine.js';
import type { Json } from '../../domain/json.js';
import type { HeadlessSetup } from './open-headless.js';

/** What the process of a task must know, as plain JSON. */
export type ChildOptions = Omit<HeadlessSetup, 'onProblem' | 'onError'>;

export type ChildRequest = Omit<EngineRequest, 'save' | 'mcpServers'> & { readonly mcpServers: readonly McpServer[] };

export type ToChild =
  | { readonly type: 'open'; readonly options: ChildOptions; readonly request: ChildRequest }
  | { readonly type: 'start'; readonly request: TurnRequest; readonly turnId: string }
  | { readonly type: 'resume'; readonly turn: InterruptedTurn }
  | { readonly type: 'answer'; readonly callId: string; readonly answer: Answer }
  | { readonly type: 'cancel' }
  | { readonly type: 'ask'; readonly number: number; readonly wish: Wish }
  /** The checkpoint, or everything that was reported, is stored. */
  | { readonly type: 'saved'; readonly number: number; readonly error?: string };

/** A request that gets a reply once it is done. `settings`: the settings are known. */
export type Wish =
  | { readonly of: 'tools' }
  | { readonly of: 'settings' }
  | { readonly of: 'mode' | 'model'; readonly id: string; readonly by: Origin };

/** What clients can choose and run in the task. There may be more once its engine is open. */
export type Offers = { readonly commands: readonly Command[]; readonly choices: Choices };

export type FromChild =
  | { readonly type: 'offers'; readonly offers: Offers }
  | { readonly type: 'report'; readonly event: EngineEvent }
  | { readonly type: 'save'; readonly number: number; readonly checkpoint: Json }
  /** Asks for a `saved` once everything that was reported is stored. */
  | { readonly type: 'flush'; readonly number: number }
  | { readonly type: 'done'; readonly number: number; readonly tools?: TaskTools }
  | { readonly type: 'refused'; readonly number: number; readonly code?: ErrorCode; readonly message: string }
  | { readonly type: 'problem'; readonly text: string };
