import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type A2ARequestHandler, JsonRpcTransportHandler, validateVersion } from '@a2a-js/sdk/server';
import type { Request, Response } from 'express';
import { AppError } from '../../../domain/errors.js';
import { errorTable } from '../../http/error-table.js';
import { principalOf } from '../../guards/admission.js';
import { needForMethod } from '../../guards/scopes.js';
import { idOf, type JsonRpcRequest, parseRequest, rpcResult } from '../../http/json-rpc.js';
import type { SessionsFor } from '../../http/caller.js';
import type { ServerLog } from '../../../domain/server-log.js';
import { requestFacts } from '../../guards/request-facts.js';
import { extensionHeader, isLegacy, normaliseHeaders, noteVersionOf } from '../calls/call-context.js';
import type { Caller } from '../calls/caller.js';
import { httpCaller } from '../calls/http-caller.js';
import { checkParams } from '../calls/params-shape.js';
import type { Operations } from '../operations/operations.js';
import { sdkHandler, StreamOpening } from '../operations/sdk-handler.js';
import { jsonRpcForms } from '../streams/forms.js';
import { sendEvents } from '../streams/send-events.js';
import { toErrorEnvelope } from './error-envelope.js';
import { callExtensionMethod, isExtensionMethod } from './extension-methods.js';
import { streamMethod } from './stream-methods.js';

export type JsonRpcEndpointOptions = {
  readonly operations: Operations;
  readonly sessionsFor: SessionsFor;
  readonly log: ServerLog;
};

export type JsonRpcEndpoint = (request: Request, response: Response) => Promise<void>;

/** `POST /`: both versions of A2A, and the methods of the RFC. */
export function jsonRpcEndpoint({ operations, sessionsFor, log }: JsonRpcEndpointOptions): JsonRpcEndpoint {
  const forms = jsonRpcForms();

  function failure(request: Request, error: unknown): object {
    const onInternal = (cause: unknown): void => log.error('request failed', { ...requestFacts(request), cause });
    return toErrorEnvelope(idOf(request.body), error, isLegacy(request), onInternal);
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const body = parseRequest(request.body);
    const { id, method, params } = body;
    needForMethod(principalOf(request), method);
    const caller = httpCaller('jsonrpc', request, response);
    validateVersion(caller.context.requestedVersion, operations.card, 'JSONRPC');
    if (isExtensionMethod(method)) {
      const result = await callExtensionMethod(method, params ?? {}, sessionsFor(caller.principal), caller);
      return reply(request, response.set(extensionHeader(caller.context)), rpcResult(id, result));
    }
    checkParams(method, params);
    const streaming = streamMethod(method, isLegacy(request));
    if (!streaming) {
      const envelope = await askSdk(body, sdkHandler(operations, caller), caller, isLegacy(request));
      return reply(request, response.set(extensionHeader(caller.context)), envelope);
    }
    const opening = new StreamOpening(operations, caller);
    const opened = await askSdk({ ...body, method: streaming.single }, opening.handler, caller, isLegacy(request));
    response.set(extensionHeader(caller.context));
    if (!opening.stream || !('result' in opened)) return reply(request, response, opened);
    await sendEvents(response, opening.stream, {
      first: streaming.toEvent(opened.result),
      form: forms[streaming.form],
      before: `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":`,
      after: '}',
      toFailure: (error) => ({ body: failure(request, error) }),
    });
  }

  return async (request, response) => {
    normaliseHeaders(request);
    noteVersionOf(request);
    try {
      await answer(request, response);
    } catch (error) {
      reply(request, response, failure(request, error));
    }
  };
}

/** The SDK reads the parameters and writes the response in the version of the request. */
async function askSdk(
  body: JsonRpcRequest,
  handler: A2ARequestHandler,
  { context }: Caller,
  isOld: boolean,
): Promise<object> {
  const transport = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
  const answer = await transport.handle(body, context);
  if (Symbol.asyncIterator in answer) throw new AppError('internal', `the SDK streams ${body.method}`);
  return answer;
}

function reply(request: Request, response: Response, envelope: object): void {
  const status = statusOf(envelope);
  if (status === 200 && 'error' in envelope && isLegacyStream(request)) asEvent(response, envelope);
  else response.status(status).json(envelope);
}

/** JSON-RPC has its own error numbers. An HTTP status is used only for what a proxy or a browser must understand. */
function statusOf(envelope: object): number {
  const { rpc, http } = errorTable['scope-missing'];
  return 'error' in envelope && isObject(envelope.error) && envelope.error['code'] === rpc ? http : 200;
}

function isLegacyStream(request: Request): boolean {
  const body: unknown = request.body;
  const method = isObject(body) ? body['method'] : undefined;
  return isLegacy(request) && typeof method === 'string' && streamMethod(method, true) !== undefined;
}

/** v0.3 clients accept only an event stream as the response to a streaming request. */
function asEvent(response: Response, envelope: object): void {
  response
    .status(200)
    .set('content-type', 'text/event-stream')
    .end(`data: ${JSON.stringify(envelope)}\n\n`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
