import { Router } from 'express';
import { AppError } from '../../domain/errors.js';
import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { parseMessage } from '../../protocols/message.js';
import type { Session } from '../../session/session.js';
import { cursorOf, originOf } from '../caller.js';
import type { Dialect } from '../dialect.js';
import { EventStream } from '../event-stream.js';
import { limits } from '../limits.js';
import { checkTask, describeTask, submitPrompt } from '../methods.js';

/** The routes of the endpoint guide (seed 001, section 2): the session is the one task. */
export function taskRoutes(session: Session, dialect: Dialect): Router {
  const router = Router();
  let openStreams = 0;

  router.post('/tasks', (_request, response) => {
    response
      .status(201)
      .json({ taskId: session.id, sessionId: session.id, contextId: session.id, state: session.state });
  });

  router.get('/tasks/:taskId', async (request, response) => {
    checkTask(session, request.params.taskId);
    response.json(await describeTask(session));
  });

  router.post('/tasks/:taskId/cancel', (request, response) => {
    checkTask(session, request.params.taskId);
    session.cancel(originOf(request.get('user-agent')));
    response.status(202).json({ accepted: true, taskId: session.id });
  });

  router.post('/tasks/:taskId/messages/stream', (request, response) => {
    checkTask(session, request.params.taskId);
    const origin = originOf(request.get('user-agent'));
    const after = cursorOf(request.query['after'] ?? request.get('last-event-id'));
    const message = parseMessage(paramsOf(request.body));
    checkTask(session, message.taskId);
    if (openStreams >= limits.eventStreams)
      throw new AppError('too-many-clients', `${limits.eventStreams} streams are open already`);

    const before = session.seq;
    const accepted = message.type === 'prompt' ? submitPrompt(session, message, origin) : undefined;
    if (message.type === 'answer') session.answer(message.callId, message.answer, origin);
    const belongs = (event: SessionEvent): boolean => accepted === undefined || event.turnId === accepted.turnId;

    openStreams++;
    let unsubscribe = (): void => {};
    const stream = new EventStream(response, () => {
      openStreams--;
      unsubscribe();
    });
    const onEvent = (event: SessionEvent): void => {
      if (!belongs(event)) return;
      stream.send(event.seq, dialect.toJson(event));
      if (event.type === 'turn' && isTurnEnd(event.state)) {
        unsubscribe();
        stream.end();
      }
    };
    unsubscribe = session.subscribe(onEvent, after ?? (accepted?.duplicate ? 0 : before));
  });

  return router;
}

/** The body is the `params` of the JSON-RPC form, a whole JSON-RPC request, or the message itself. */
function paramsOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('params' in body) return body.params;
  return 'message' in body ? body : { message: body };
}
