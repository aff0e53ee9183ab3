import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
import type { AgentCard } from '@a2a-js/sdk';
import type { Request, RequestHandler, Response } from 'express';
import type { Sessions } from '../../session/sessions.js';
import { EventStream } from '../event-stream.js';
import { idOf, parseRequest, rpcResult } from '../json-rpc.js';
import type { ServerLog } from '../server-log.js';
import { type Connection, httpConnection } from './connection.js';
import { callContext, extensionHeader, isLegacy } from './call-context.js';
import { callExtensionMethod, isExtensionMethod } from './extension-methods.js';
import { toErrorEnvelope } from './json-rpc-error.js';
import { checkParams } from './params-shape.js';

export type JsonRpcEndpointOptions = {
  readonly handler: A2ARequestHandler;
  readonly card: AgentCard;
  readonly sessions: Sessions;
  readonly log: ServerLog;
};

type Envelope = { result?: unknown };

/** One request on its way through the endpoint. */
type Call = {
  readonly method: string;
  readonly response: Response;
  readonly connection: Connection;
  readonly context: ServerCallContext;
  readonly isLegacy: boolean;
  readonly fail: (error: unknown) => object;
};

/** `POST /`: the SDK's dispatch for both versions, our own streams: event ids, heartbeats, `final` as v0.3 means it. */
export function jsonRpcEndpoint({ handler, card, sessions, log }: JsonRpcEndpointOptions): RequestHandler {
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);

  async function answer(request: Request, response: Response, fail: Call['fail']): Promise<void> {
    const body = parseRequest(request.body);
    const { id, method, params } = body;
    const connection = httpConnection('jsonrpc', request, response);
    const context = callContext(request, connection);
    validateVersion(context.requestedVersion, card, 'JSONRPC');
    if (isExtensionMethod(method)) {
      response.set(extensionHeader(context));
      response.json(rpcResult(id, await callExtensionMethod(method, params ?? {}, sessions, connection.client)));
      return;
    }
    checkParams(method, params);
    const result = await (isLegacy(request) ? legacy : current).handle(body, context);
    const call = { method, response, connection, context, isLegacy: isLegacy(request), fail };
    if (Symbol.asyncIterator in result) await stream(result, call);
    else response.set(extensionHeader(context)).json(result);
  }

  return async (request, response) => {
    const fail = (error: unknown): object => toErrorEnvelope(idOf(request.body), error, isLegacy(request), log);
    try {
      await answer(request, response, fail);
    } catch (error) {
      if (isStreamingMethod(request) && isLegacy(request)) asEvent(response, fail(error));
      else response.json(fail(error));
    }
  };
}

async function stream(events: AsyncGenerator<Envelope, void, undefined>, call: Call): Promise<void> {
  const { response, connection, context, method, fail } = call;
  // What fails before the first event is answered as any request is.
  const first = await events.next();
  response.set(extensionHeader(context));
  const out = new EventStream(response, () => void events.return());
  try {
    for (let step = first; !step.done; step = await events.next()) {
      if (call.isLegacy && method === 'message/stream') markFinal(step.value.result);
      out.send(connection.seq, JSON.stringify(step.value));
    }
  } catch (error) {
    out.send(connection.seq, JSON.stringify(fail(error)));
  }
  out.end();
}

/** v0.3: `final` is true on the last event of this stream, and a send ends where input is required. */
function markFinal(result: unknown): void {
  if (!isObject(result) || result['kind'] !== 'status-update' || !isObject(result['status'])) return;
  if (result['status']['state'] === 'input-required') result['final'] = true;
}

/** Clients written for v0.3 take nothing but an event stream as the answer to a streaming request. */
function asEvent(response: Response, envelope: object): void {
  response
    .status(200)
    .set('content-type', 'text/event-stream')
    .end(`data: ${JSON.stringify(envelope)}\n\n`);
}

function isStreamingMethod({ body }: Request): boolean {
  return isObject(body) && (body['method'] === 'message/stream' || body['method'] === 'tasks/resubscribe');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
