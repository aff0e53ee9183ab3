import { Router } from 'express';
import { AppError } from '../../domain/errors.js';
import { toEndpoint } from '../../protocols/endpoint/to-wire.js';
import { parseMessage } from '../../protocols/message.js';
import type { Session } from '../../session/session.js';
import { sessionOf } from '../../session/sessions.js';
import { originOf, toCursor } from '../caller.js';
import { principalOf } from '../guards/admission.js';
import { checkTask, describeTask } from '../methods.js';
import type { SessionsFor } from '../offer.js';
import { endpointDialect } from '../turn-dialects.js';
import type { TurnStreams } from '../turn-streams.js';

/** Where the live endpoint and a server of many tasks are the same: a task is a session (seed 001, section 2). */
export function taskRoutes(sessionsFor: SessionsFor, streams: TurnStreams): Router {
  const router = Router();

  router.post('/tasks/:taskId/cancel', async (request, response) => {
    const session = await sessionOf(sessionsFor(principalOf(request)), request.params.taskId);
    session.cancel(originOf(request.get('user-agent'), principalOf(request)));
    await session.stored();
    response.status(202).json({ accepted: true, taskId: session.id });
  });

  router.post('/tasks/:taskId/messages/stream', async (request, response) => {
    const message = parseMessage(paramsOf(request.body));
    const open = async () => {
      const session = await sessionOf(sessionsFor(principalOf(request)), request.params.taskId);
      checkTask(session, message.taskId);
      return { session, dialect: endpointDialect(session) };
    };
    await streams.open({ message, open }, { request, response });
  });

  router.get('/tasks/:taskId/events/:seq', async (request, response) => {
    const { taskId, seq } = request.params;
    const session = await sessionOf(sessionsFor(principalOf(request)), taskId);
    const event = await session.event(toCursor(seq) ?? 0);
    if (!event) throw new AppError('not-found', `task "${taskId}" has no event ${seq}, or does not keep it any more`);
    response.json(toEndpoint(event));
  });

  return router;
}

/** The one task of the live endpoint is there already: whoever creates it joins it. */
export function liveTaskRoutes(session: Session): Router {
  const router = Router();

  router.post('/tasks', (_request, response) => {
    response
      .status(201)
      .json({ taskId: session.id, sessionId: session.id, contextId: session.id, state: session.state });
  });

  router.get('/tasks/:taskId', async (request, response) => {
    checkTask(session, request.params.taskId);
    response.json(await describeTask(session));
  });

  return router;
}

/** The body is the `params` of the JSON-RPC form, a whole JSON-RPC request, or the message itself. */
function paramsOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('params' in body) return body.params;
  return 'message' in body ? body : { message: body };
}
