import * as z from 'zod';
import type { Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { Wire } from '../../dialects/shared/wire.js';
import { toMessages } from '../../dialects/endpoint/history.js';
import { toOpenQuestion } from '../../dialects/endpoint/snapshot.js';
import { check, type ClientMessage, parseMessage } from '../../dialects/shared/message.js';
import type { Accepted } from '../../session/prompt-queue.js';
import type { AcceptedAnswer, SessionPort } from '../../session/session-port.js';
import type { SessionView } from '../../tasks/stored-session.js';
import { checkMessage } from './check-message.js';
import { needForMethod } from '../guards/scopes.js';
import { executeCommand, toWireCommands } from './command-methods.js';
import { defined } from '../../util/defined.js';

export type MethodContext = {
  readonly session: SessionPort;
  readonly principal: Principal;
  readonly origin: Origin;
  /** Sends this client the events after a cursor. */
  readonly resubscribe: (after: number | undefined) => void;
};

type Method = (params: unknown, context: MethodContext) => unknown;

/** Methods that a client can call on the socket. */
const methods: Readonly<Record<string, Method>> = {
  'message/stream': sendMessage,
  'message/send': sendMessage,
  'tasks/get': getTask,
  'tasks/cancel': cancelTask,
  'tasks/resubscribe': resubscribe,
  'commands/get': (_params, { session }) => toWireCommands(session.commands),
  'command/execute': (params, { session, origin }) => executeCommand(session, params, origin),
};

export function callMethod(name: string, params: unknown, context: MethodContext): unknown {
  needForMethod(context.principal, name);
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method) return method(params ?? {}, context);
  throw new AppError('unknown-method', `there is no method "${name}"`, { details: { methods: Object.keys(methods) } });
}

/** Hands a client's message to the session. The HTTP route uses it too. */
export function sendPrompt(
  session: SessionPort,
  { text, messageId }: ClientMessage & { type: 'prompt' },
  origin: Origin,
): Promise<Accepted> {
  return session.send({ kind: 'prompt', text, origin, ...defined({ messageId }) });
}

/** Throws `unknown-task` if an id is given and is not the session's. */
export function checkTask(session: SessionPort, taskId: string | undefined): void {
  if (taskId === undefined || taskId === '' || taskId === session.id) return;
  throw new AppError('unknown-task', `Task not found: "${taskId}"; this session is "${session.id}"`);
}

async function sendMessage(params: unknown, { session, principal, origin }: MethodContext): Promise<Wire> {
  const message = parseMessage(params);
  checkMessage(principal, message);
  checkTask(session, message.taskId);
  const accepted =
    message.type === 'prompt'
      ? { taskId: session.id, ...(await sendPrompt(session, message, origin)) }
      : answered(await session.sendAnswer(message.callId, message.answer, origin));
  return { accepted: true, ...accepted };
}

function answered({ callId, ...rest }: AcceptedAnswer): Wire {
  return { tool_call_id: callId, ...rest };
}

export const idParams = z.object({
  id: z.string().optional().describe('the task; by default the one of this socket'),
  historyLength: z.int().min(0).optional().describe('messages of the history, default 100'),
});

/** How many events are read to build the history of a task. */
const historyEvents = 5000;

export async function describeTask(session: SessionView, historyLength = 100): Promise<Wire & { metadata: Wire }> {
  await session.stored();
  const { state, pending, model, seq } = session.snapshot;
  return {
    kind: 'task',
    id: session.id,
    contextId: session.id,
    status: { state },
    history: toMessages(await session.history(historyEvents), historyLength),
    metadata: {
      model,
      seq,
      queued: session.queued,
      pending: pending.map(toOpenQuestion),
    },
  };
}

function getTask(params: unknown, { session }: MethodContext): Promise<Wire> {
  const { id, historyLength } = check(idParams, params, 'params');
  checkTask(session, id);
  return describeTask(session, historyLength);
}

/** The id of a turn cancels that turn, even while it is queued. The session's id cancels the running turn. */
async function cancelTask(params: unknown, { session, origin }: MethodContext): Promise<Wire> {
  const { id } = check(idParams, params, 'params');
  await session.sendCancel(origin, id === session.id ? undefined : id);
  return { accepted: true, taskId: session.id };
}

export const cursorParams = z.object({
  id: z.string().optional().describe('the task; by default the one of this socket'),
  after: z.int().min(0).optional().describe('the `seq` of the last event you have'),
});

function resubscribe(params: unknown, { session, resubscribe: replay }: MethodContext): Wire {
  const { id, after } = check(cursorParams, params, 'params');
  checkTask(session, id);
  replay(after);
  return { accepted: true, taskId: session.id };
}
