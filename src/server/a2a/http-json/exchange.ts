import type { AgentCard, Message, Task } from '@a2a-js/sdk';
import { validateVersion } from '@a2a-js/sdk/server';
import type { Request, RequestHandler, Response } from 'express';
import { type AppError, toAppError } from '../../../domain/errors.js';
import { isA2AError } from '../calls/a2a-error.js';
import { extensionHeader } from '../calls/call-context.js';
import type { Caller } from '../calls/caller.js';
import { httpCaller } from '../calls/http-caller.js';
import type { Form } from '../streams/form.js';
import { sendEvents } from '../streams/send-events.js';
import type { TaskStream } from '../streams/task-stream.js';
import type { HttpError } from './http-error.js';

/** How a version of HTTP+JSON writes what all its routes share. */
export type Notation = {
  readonly toResult: (result: Message | Task) => unknown;
  readonly toError: (error: Error) => HttpError;
  /** Writes the error that ends a stream. */
  readonly toFailure: (error: AppError) => HttpError;
};

/** Builds the route handlers of one version. */
export class Exchange {
  readonly #card: AgentCard;
  readonly #notation: Notation;

  constructor(card: AgentCard, notation: Notation) {
    this.#card = card;
    this.#notation = notation;
  }

  /** A route with a single response, which may have no body. */
  answer(status: number, run: (request: Request, caller: Caller) => Promise<unknown>): RequestHandler {
    return this.#handle(async (request, response, caller) => {
      const body = await run(request, caller);
      response.status(status).set(extensionHeader(caller.context));
      if (body === undefined) response.end();
      else response.json(body);
    });
  }

  /** A route that streams. */
  stream(form: Form<string>, open: (request: Request, caller: Caller) => Promise<TaskStream>): RequestHandler {
    const { toResult, toFailure } = this.#notation;
    return this.#handle(async (request, response, caller) => {
      const stream = await open(request, caller);
      response.set(extensionHeader(caller.context));
      await sendEvents(response, stream, {
        first: toResult(stream.first),
        form,
        toFailure: (error) => ({ name: 'error', body: toFailure(toAppError(error)).body }),
      });
    });
  }

  #handle(run: (request: Request, response: Response, caller: Caller) => Promise<void>): RequestHandler {
    return async (request, response) => {
      try {
        const caller = httpCaller('rest', request, response);
        validateVersion(caller.context.requestedVersion, this.#card, 'HTTP+JSON');
        await run(request, response, caller);
      } catch (error) {
        if (!isA2AError(error)) throw error;
        const { status, body } = this.#notation.toError(error);
        response.status(status).json(body);
      }
    };
  }
}
