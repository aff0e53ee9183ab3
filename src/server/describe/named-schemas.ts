import type * as z from 'zod';
import { coderAgentEvent } from '../../dialects/coder-agent/event-schemas.js';
import { eventSchemas } from '../../dialects/endpoint/to-wire.js';
import { taskRow } from '../../dialects/endpoint/task-row-schema.js';
import { openQuestion, origin, toolCallMetadata } from '../../dialects/endpoint/tool-call-schemas.js';
import { executeEvent } from '../../dialects/execute/event-schemas.js';
import { messageSchema } from '../../dialects/shared/message.js';
import {
  artifactView,
  describedTask,
  newTask,
  serverTask,
  slashCommand,
  taskMetadata,
  taskPage,
} from '../endpoint/answer-schemas.js';
import { rpcReply, rpcRequest } from '../http/json-rpc.js';
import { anyEvent } from '../routes/turns.js';

/** Schemas that /openapi.json defines once, under the name of the type in generated clients. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  Event: anyEvent,
  ...Object.fromEntries(Object.entries(eventSchemas).map(([kind, schema]) => [`${camelCase(kind)}Event`, schema])),
  OpenQuestion: openQuestion,
  Origin: origin,
  ToolCallMetadata: toolCallMetadata,
  ExecuteEvent: executeEvent,
  AgentEvent: coderAgentEvent,
  Message: messageSchema,
  NewTask: newTask,
  TaskSummary: taskRow,
  TaskPage: taskPage,
  SessionTask: describedTask,
  Task: serverTask,
  TaskMetadata: taskMetadata,
  Artifact: artifactView,
  SlashCommand: slashCommand,
  JsonRpcRequest: rpcRequest,
  JsonRpcReply: rpcReply,
};

/** `TOOL_CALL_UPDATE` becomes `ToolCallUpdate`. */
function camelCase(kind: string): string {
  return kind
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
