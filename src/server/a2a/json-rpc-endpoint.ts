import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type A2ARequestHandler, JsonRpcTransportHandler, validateVersion } from '@a2a-js/sdk/server';
import type { AgentCard } from '@a2a-js/sdk';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, toAppError } from '../../domain/errors.js';
import type { Sessions } from '../../session/sessions.js';
import { errorTable } from '../error-table.js';
import { EventStream } from '../event-stream.js';
import { idOf, type JsonRpcId, parseRequest, rpcError, rpcResult } from '../json-rpc.js';
import type { ServerLog } from '../server-log.js';
import { type Connection, httpConnection } from './connection.js';
import { callContext, extensionHeader, isLegacy } from './call-context.js';
import { callExtensionMethod, isExtensionMethod } from './extension-methods.js';

export type JsonRpcEndpointOptions = {
  readonly handler: A2ARequestHandler;
  readonly card: AgentCard;
  readonly sessions: Sessions;
  readonly log: ServerLog;
};

type Envelope = { result?: unknown };

/** `POST /`: the SDK's dispatch for both versions, our own streams: event ids, heartbeats, `final` as v0.3 means it. */
export function jsonRpcEndpoint({ handler, card, sessions, log }: JsonRpcEndpointOptions): RequestHandler {
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);

  return async (request, response) => {
    const id = idOf(request.body);
    const connection = httpConnection('jsonrpc', request, response);
    const fail = (error: unknown): object => toEnvelope(id, error, isLegacy(request), log);
    try {
      const { method, params } = parseRequest(request.body);
      const context = callContext(request, connection);
      validateVersion(context.requestedVersion, card, 'JSONRPC');
      response.set(extensionHeader(context));
      if (isExtensionMethod(method)) {
        return void response.json(
          rpcResult(id, await callExtensionMethod(method, params ?? {}, sessions, connection.client)),
        );
      }
      const body = request.body as Record<string, unknown>;
      const answer = await (isLegacy(request) ? legacy : current).handle(body, context);
      if (Symbol.asyncIterator in answer) await stream(answer, { request, response, connection, method, fail });
      else response.json(answer);
    } catch (error) {
      if (isStreamingMethod(request) && isLegacy(request)) asEvent(response, fail(error));
      else response.json(fail(error));
    }
  };
}

type StreamOptions = {
  readonly request: Request;
  readonly response: Response;
  readonly connection: Connection;
  readonly method: string;
  readonly fail: (error: unknown) => object;
};

async function stream(events: AsyncGenerator<Envelope, void, undefined>, options: StreamOptions): Promise<void> {
  const { request, response, connection, method, fail } = options;
  const isLegacySend = isLegacy(request) && method === 'message/stream';
  let first: IteratorResult<Envelope, void>;
  try {
    first = await events.next();
  } catch (error) {
    // Clients written for v0.3 take nothing but an event stream as the answer to a streaming request.
    return isLegacy(request) ? asEvent(response, fail(error)) : void response.json(fail(error));
  }
  const out = new EventStream(response, () => void events.return());
  try {
    for (let step = first; !step.done; step = await events.next()) {
      if (isLegacySend) markFinal(step.value);
      out.send(connection.seq, JSON.stringify(step.value));
    }
  } catch (error) {
    out.send(connection.seq, JSON.stringify(fail(error)));
  }
  out.end();
}

/** v0.3: `final` is true on the last event of this stream, and a send ends where input is required. */
function markFinal({ result }: Envelope): void {
  const update = result as { kind?: string; final?: boolean; status?: { state?: string } } | undefined;
  if (update?.kind === 'status-update' && update.status?.state === 'input-required') update.final = true;
}

function asEvent(response: Response, envelope: object): void {
  response
    .status(200)
    .set('content-type', 'text/event-stream')
    .end(`data: ${JSON.stringify(envelope)}\n\n`);
}

function isStreamingMethod({ body }: Request): boolean {
  const given = body as { method?: unknown } | undefined;
  return given?.method === 'message/stream' || given?.method === 'tasks/resubscribe';
}

/** Our own errors keep their number and their facts; A2A's get the form of the version that was asked for. */
function toEnvelope(id: JsonRpcId, thrown: unknown, legacyForm: boolean, log: ServerLog): object {
  const error = thrown instanceof Error && thrown.cause instanceof AppError ? thrown.cause : thrown;
  if (error instanceof AppError && (errorTable[error.code].rpc <= -32050 || errorTable[error.code].rpc <= -32600))
    return rpcError(id, error);
  if (!(thrown instanceof Error && 'reason' in thrown)) {
    log.error('request failed', { cause: thrown });
    return rpcError(id, toAppError(thrown));
  }
  const mapped = legacyForm
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
    : JsonRpcTransportHandler.mapToJSONRPCError(thrown);
  return { jsonrpc: '2.0', id: id ?? null, error: mapped };
}
