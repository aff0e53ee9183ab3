/** `cosession/client`: use a live session from another program. Runs in browsers; in Node, `node.ts` adds the WebSocket. */
export { connect, type ConnectOptions } from './connect.js';
export { createTask } from './create-task.js';
export type { ConnectionState } from './connection.js';
export { type ConnectionErrorCode, CosessionError, type CosessionErrorCode } from './transport/cosession-error.js';
export type { History, HistoryOptions } from './history.js';
export { isOpenQuestion } from './wire-tool-call.js';
export type { AnswerDetails, ClientSession, StartedPrompt, StartedTurn } from './session.js';
export type { SlashCommand } from './transport/replies.js';
export type { TurnResult } from './turn-result.js';
export type { TaskRow } from '../dialects/endpoint/events.js';
export type {
  ClientsEvent,
  LoggedEvent,
  ResyncEvent,
  SnapshotEvent,
  StateChangeEvent,
  ToolCallEvent,
  UserMessageEvent,
  WireEvent,
} from './wire-event.js';
export type {
  ConfirmationDetails,
  ConfirmationRequest,
  OpenQuestion,
  WireFileDiff,
  WireOption,
  WireToolCall,
  WireToolOutput,
} from './wire-tool-call.js';
