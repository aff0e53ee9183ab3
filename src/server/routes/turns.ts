import * as z from 'zod';
import { AppError } from '../../domain/errors.js';
import { eventSchemas, toEndpoint } from '../../dialects/endpoint/to-wire.js';
import { check, messageParams, parseMessage } from '../../dialects/shared/message.js';
import { foldedHistory } from '../../session/folded-history.js';
import { sessionOf, unknownTask } from '../../tasks/sessions.js';
import { defined } from '../../util/defined.js';
import { toCursor } from '../http/caller.js';
import { principalOf } from '../guards/admission.js';
import { accepted } from '../endpoint/answer-schemas.js';
import { checkTask } from '../endpoint/methods.js';
import { requestOrigin } from '../endpoint/request-origin.js';
import type { SessionsFor } from '../http/caller.js';
import { dialectsOf } from '../endpoint/dialect.js';
import type { TurnStreams } from '../endpoint/turn-streams.js';
import { type Route, route } from './route.js';

export type TurnContext = { readonly sessionsFor: SessionsFor; readonly streams: TurnStreams };

/** Where to continue: the `seq` of the last event seen. */
export const cursorQuery = z.object({ after: z.int().min(0) });

const historyQuery = z.object({
  before: z.coerce.number().int().min(1).optional().describe('only what happened before the event of this `seq`'),
  turns: z.coerce.number().int().min(1).max(200).default(30).describe('how many turns'),
});

/** Any event of the endpoint dialect. */
export const anyEvent = z.union(Object.values(eventSchemas));

/** Routes shared by the live endpoint and a server of many tasks. A task is a session (seed 001, section 2). */
export const turnRoutes: readonly Route<TurnContext>[] = [
  route({
    name: 'cancelTask',
    method: 'POST',
    path: '/tasks/:taskId/cancel',
    scope: 'prompt',
    summary: 'Stop the running turn',
    answer: { status: 202, meaning: 'accepted', json: accepted },
    async handle({ sessionsFor }: TurnContext, request, response) {
      const session = await sessionOf(sessionsFor(principalOf(request)), request.params.taskId);
      await session.sendCancel(requestOrigin(request));
      response.status(202).json({ accepted: true, taskId: session.id });
    },
  }),
  route({
    name: 'getHistory',
    method: 'GET',
    path: '/tasks/:taskId/history',
    scope: 'view',
    summary: 'The conversation: whole replies, and each tool call in its last state',
    query: historyQuery,
    answer: {
      status: 200,
      meaning: 'events, oldest first; `before=<oldest>` has the part before, `?after=<seq>` continues',
      json: z.object({ events: z.array(anyEvent), oldest: z.int(), seq: z.int() }),
    },
    async handle({ sessionsFor }: TurnContext, request, response) {
      const { taskId } = request.params;
      const { before, turns } = check(historyQuery, request.query, 'the query');
      const session = await sessionsFor(principalOf(request)).view(taskId);
      if (!session) throw unknownTask(taskId);
      const { events, ...range } = await foldedHistory(session, { turns, ...defined({ before }) });
      response.json({ events: events.map(toEndpoint), ...range });
    },
  }),
  route({
    name: 'getEvent',
    method: 'GET',
    path: '/tasks/:taskId/events/:seq',
    scope: 'view',
    summary: 'One whole event; streams cut events above 1.25 MiB',
    answer: { status: 200, meaning: 'the event', json: anyEvent },
    async handle({ sessionsFor }: TurnContext, request, response) {
      const { taskId, seq } = request.params;
      const session = await sessionOf(sessionsFor(principalOf(request)), taskId);
      const event = await session.event(toCursor(seq) ?? 0);
      if (!event) throw new AppError('not-found', `task "${taskId}" has no event ${seq}, or no longer keeps it`);
      response.json(toEndpoint(event));
    },
  }),
  route({
    name: 'streamMessage',
    method: 'POST',
    path: '/tasks/:taskId/messages/stream',
    scope: 'message',
    summary: 'Send a prompt or an answer; its turn follows as server-sent events',
    query: cursorQuery,
    body: messageParams,
    answer: { status: 200, meaning: 'events', events: anyEvent },
    async handle({ sessionsFor, streams }: TurnContext, request, response) {
      const message = parseMessage(paramsOf(request.body));
      const open = async () => {
        const session = await sessionOf(sessionsFor(principalOf(request)), request.params.taskId);
        checkTask(session, message.taskId);
        return { session, dialect: dialectsOf(session).endpoint };
      };
      await streams.open({ message, open }, { request, response });
    },
  }),
];

/** The body is the `params` of the JSON-RPC form, a whole JSON-RPC request, or the message itself. */
function paramsOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('params' in body) return body.params;
  return 'message' in body ? body : { message: body };
}
