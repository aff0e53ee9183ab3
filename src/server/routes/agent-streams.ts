import { coderAgentDialect } from '../../dialects/coder-agent/dialect.js';
import { coderAgentEvent } from '../../dialects/coder-agent/event-schemas.js';
import { parseUserMessage } from '../../dialects/coder-agent/from-wire.js';
import { executeDialect } from '../../dialects/execute/dialect.js';
import { executeEvent } from '../../dialects/execute/event-schemas.js';
import { check, type ClientMessage } from '../../dialects/shared/message.js';
import type { ServerTasks } from '../../tasks/server-tasks.js';
import type { SessionPort } from '../../session/session-port.js';
import { sessionOf } from '../../tasks/sessions.js';
import { principalOf } from '../guards/admission.js';
import { checkTask } from '../endpoint/methods.js';
import {
  executeBody,
  executeForms,
  messageStreamBody,
  messageStreamForms,
  toWishes,
} from '../endpoint/task-requests.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';
import { cursorQuery } from './turns.js';

/** Prompts and answers over HTTP, with server-sent events in reply: `/message/stream` (seed 002), `execute` (seed 003). */
export const agentStreamRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'execute',
    method: 'POST',
    path: '/tasks/:taskId/execute',
    scope: 'message',
    summary: 'Send a prompt or an answer; its turn follows as named server-sent events',
    query: cursorQuery,
    body: executeForms,
    answer: { status: 200, meaning: 'events', events: executeEvent },
    async handle({ tasksFor, streams }: ServerContext, request, response) {
      const { message: given, messageId } = check(executeBody, request.body, 'the body');
      const message = parseUserMessage(typeof given === 'string' ? { text: given, messageId } : given);
      const open = async () => {
        const session = await sessionOf(tasksFor(principalOf(request)), request.params.taskId);
        checkTask(session, message.taskId);
        return { session, dialect: executeDialect() };
      };
      await streams.open({ message, open }, { request, response });
    },
  }),
  route({
    name: 'streamAgentMessage',
    method: 'POST',
    path: '/message/stream',
    scope: 'message',
    summary: 'Send a prompt or an answer, to a new task if none is named; what follows comes as server-sent events',
    query: cursorQuery,
    body: messageStreamForms,
    answer: { status: 200, meaning: 'events', events: coderAgentEvent },
    async handle({ tasksFor, streams }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const body = check(messageStreamBody, paramsOf(request.body), 'the body');
      const message = parseUserMessage(body.userMessage ?? body.message);
      const open = async () => {
        const session = await sessionFor(tasks, body, message, principalOf(request).id);
        const workspacePath = (await tasks.describe(session.id))?.workspace ?? '';
        const isAnswer = message.type === 'answer';
        return { session, dialect: coderAgentDialect({ session, workspacePath, isAnswer }) };
      };
      await streams.open({ message, open }, { request, response });
    },
  }),
];

type Named = { taskId?: string | undefined; contextId?: string | undefined };

/** The task that the request or its message names. Without a name, a new task, which only a prompt can open. */
async function sessionFor(
  tasks: ServerTasks,
  body: Named & { agentSettings?: Parameters<typeof toWishes>[0] },
  message: ClientMessage,
  owner: string,
): Promise<SessionPort> {
  const taskId = body.taskId ?? message.taskId;
  if (taskId !== undefined) return sessionOf(tasks, taskId);
  const mustExist = message.type === 'answer';
  const wishes = { ...toWishes(body.agentSettings), owner, mustExist, promptFollows: !mustExist };
  return tasks.open(body.contextId, wishes);
}

/** Also accepts a whole JSON-RPC request. */
function paramsOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'params' in body ? body.params : body;
}
