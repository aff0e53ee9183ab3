import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
import type { AgentCard } from '@a2a-js/sdk';
import type { Request, RequestHandler, Response } from 'express';
import type { SessionsFor } from '../offer.js';
import { errorTable } from '../error-table.js';
import { EventStream } from '../event-stream.js';
import { principalOf } from '../guards/admission.js';
import { needForMethod } from '../guards/scopes.js';
import { idOf, type JsonRpcId, parseRequest, rpcResult } from '../json-rpc.js';
import type { ServerLog } from '../server-log.js';
import { type Connection, httpConnection } from './connection.js';
import { callContext, extensionHeader, isLegacy, noteVersionOf } from './call-context.js';
import { callExtensionMethod, isExtensionMethod } from './extension-methods.js';
import { toErrorEnvelope } from './json-rpc-error.js';
import type { Form } from './form.js';
import { jsonRpcForms } from './forms.js';
import { checkParams } from './params-shape.js';
import { eventWriter } from './stream-writer.js';

export type JsonRpcEndpointOptions = {
  readonly handler: A2ARequestHandler;
  readonly card: AgentCard;
  readonly sessionsFor: SessionsFor;
  readonly log: ServerLog;
};

/** One request on its way through the endpoint. */
type Call = {
  readonly id: JsonRpcId;
  readonly form: Form<string>;
  readonly response: Response;
  readonly connection: Connection;
  readonly context: ServerCallContext;
  readonly fail: (error: unknown) => object;
};

/** `POST /`: the SDK's dispatch for both versions, our own streams. */
export function jsonRpcEndpoint({ handler, card, sessionsFor, log }: JsonRpcEndpointOptions): RequestHandler {
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const forms = jsonRpcForms();

  async function answer(request: Request, response: Response, fail: Call['fail']): Promise<void> {
    const body = parseRequest(request.body);
    const { id, method, params } = body;
    needForMethod(principalOf(request), method);
    const connection = httpConnection('jsonrpc', request, response);
    const context = callContext(request, connection);
    validateVersion(context.requestedVersion, card, 'JSONRPC');
    if (isExtensionMethod(method)) {
      response.set(extensionHeader(context));
      response.json(
        rpcResult(id, await callExtensionMethod(method, params ?? {}, sessionsFor(connection.principal), connection)),
      );
      return;
    }
    checkParams(method, params);
    const result = await (isLegacy(request) ? legacy : current).handle(body, context);
    const form = isLegacy(request) ? (method === 'message/stream' ? forms.v03Send : forms.v03) : forms.v1;
    if (Symbol.asyncIterator in result) await stream(result, { id, form, response, connection, context, fail });
    else response.set(extensionHeader(context)).status(statusOf(result)).json(result);
  }

  return async (request, response) => {
    noteVersionOf(request);
    const fail = (error: unknown): object => toErrorEnvelope(idOf(request.body), error, isLegacy(request), log);
    try {
      await answer(request, response, fail);
    } catch (error) {
      const envelope = fail(error);
      const status = statusOf(envelope);
      if (status === 200 && isStreamingMethod(request) && isLegacy(request)) asEvent(response, envelope);
      else response.status(status).json(envelope);
    }
  };
}

async function stream(events: AsyncGenerator<object, void, undefined>, call: Call): Promise<void> {
  const { id, form, response, connection, context, fail } = call;
  // What fails before the first event is answered as any request is.
  const first = await events.next();
  response.set(extensionHeader(context));
  const out = new EventStream(response, () => void events.return());
  connection.writer = eventWriter(out, form, `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":`, '}');
  try {
    for (let step = first; !step.done; step = await events.next()) out.send(connection.seq, JSON.stringify(step.value));
  } catch (error) {
    out.send(undefined, JSON.stringify(fail(error)));
  }
  out.end();
}

/** Clients written for v0.3 take nothing but an event stream as the answer to a streaming request. */
function asEvent(response: Response, envelope: object): void {
  response
    .status(200)
    .set('content-type', 'text/event-stream')
    .end(`data: ${JSON.stringify(envelope)}\n\n`);
}

/** JSON-RPC says by its own numbers what went wrong; only what a proxy or a browser must understand is HTTP's. */
function statusOf(envelope: object): number {
  const { rpc, http } = errorTable['scope-missing'];
  return 'error' in envelope && isObject(envelope.error) && envelope.error['code'] === rpc ? http : 200;
}

function isStreamingMethod({ body }: Request): boolean {
  return isObject(body) && (body['method'] === 'message/stream' || body['method'] === 'tasks/resubscribe');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
