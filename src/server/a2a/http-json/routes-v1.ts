import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  ListTasksResponse,
  type Message,
  SendMessageRequest,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
  taskStateFromJSON,
} from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors';
import { type Request, type RequestHandler, Router } from 'express';
import type { Operations } from '../operations/operations.js';
import { restForms } from '../streams/forms.js';
import { Exchange, type Notation } from './exchange.js';
import { type HttpError, toHttpErrorV1 } from './http-error.js';
import { historyLengthIn, pageSizeIn, parameter, segment } from './query.js';

/** HTTP+JSON of v1.0 (A2A 11). Each path may start with a tenant. All tenants share one agent. */
export function routesV1(operations: Operations): Router {
  const router = Router();
  const { v1: form } = restForms();
  const exchange = new Exchange(operations.card, notation);
  const idOf = (request: Request) => ({ tenant: '', id: segment(request, 'taskId') });
  const webhookOf = (request: Request) => ({
    tenant: '',
    taskId: segment(request, 'taskId'),
    id: segment(request, 'configId'),
  });
  const task = '{/:tenant}/tasks/:taskId';
  const subscribe = exchange.stream(form, (request, caller) => operations.subscribe(idOf(request), caller));

  router.use(jsonOnly);
  router.get(
    '{/:tenant}/extendedAgentCard',
    exchange.answer(200, async (_request, caller) => AgentCard.toJSON(await operations.extendedCard(caller))),
  );
  router.post(
    '{/:tenant}/message\\:send',
    exchange.answer(200, async ({ body }, caller) =>
      toResult(await operations.sendMessage(SendMessageRequest.fromJSON(body ?? {}), caller)),
    ),
  );
  router.post(
    '{/:tenant}/message\\:stream',
    exchange.stream(form, ({ body }, caller) =>
      operations.streamMessage(SendMessageRequest.fromJSON(body ?? {}), caller),
    ),
  );
  router.get(`${task}\\:subscribe`, subscribe).post(`${task}\\:subscribe`, subscribe);
  router.post(
    `${task}\\:cancel`,
    exchange.answer(200, async (request, caller) =>
      Task.toJSON(await operations.cancelTask({ ...idOf(request), metadata: {} }, caller)),
    ),
  );
  router.get(
    task,
    exchange.answer(200, async (request, caller) => {
      const historyLength = historyLengthIn(request, 'historyLength');
      return Task.toJSON(await operations.getTask({ ...idOf(request), historyLength }, caller));
    }),
  );
  router.get(
    '{/:tenant}/tasks',
    exchange.answer(200, async (request, caller) => {
      const params = listParams(request);
      return toList(await operations.listTasks(params, caller), params.includeArtifacts ?? false);
    }),
  );
  router.post(
    `${task}/pushNotificationConfigs`,
    exchange.answer(201, async (request, caller) => {
      const config = TaskPushNotificationConfig.fromJSON({ ...request.body, taskId: segment(request, 'taskId') });
      return TaskPushNotificationConfig.toJSON(await operations.createWebhook(config, caller));
    }),
  );
  router.get(
    `${task}/pushNotificationConfigs`,
    exchange.answer(200, async (request, caller) => {
      const params = { tenant: '', taskId: segment(request, 'taskId'), pageSize: 0, pageToken: '' };
      return ListTaskPushNotificationConfigsResponse.toJSON(await operations.listWebhooks(params, caller));
    }),
  );
  router.get(
    `${task}/pushNotificationConfigs/:configId`,
    exchange.answer(200, async (request, caller) =>
      TaskPushNotificationConfig.toJSON(await operations.getWebhook(webhookOf(request), caller)),
    ),
  );
  router.delete(
    `${task}/pushNotificationConfigs/:configId`,
    exchange.answer(204, (request, caller) => operations.deleteWebhook(webhookOf(request), caller)),
  );
  return router;
}

const notation: Notation = {
  toResult,
  toError(error): HttpError {
    const status = restStatusFor(error);
    return { status, body: toRestErrorBody(error, status) };
  },
  toFailure: toHttpErrorV1,
};

function toResult(result: Message | Task): unknown {
  const payload =
    'messageId' in result
      ? ({ $case: 'message', value: result } as const)
      : ({ $case: 'task', value: result } as const);
  return SendMessageResponse.toJSON({ payload });
}

function listParams(request: Request): ListTasksRequest {
  const status = parameter(request, 'status');
  return {
    tenant: '',
    contextId: parameter(request, 'contextId') ?? '',
    status: taskStateFromJSON(status === undefined ? 0 : Number.isNaN(Number(status)) ? status : Number(status)),
    pageSize: pageSizeIn(request),
    pageToken: parameter(request, 'pageToken') ?? '',
    historyLength: historyLengthIn(request, 'historyLength'),
    statusTimestampAfter: parameter(request, 'statusTimestampAfter'),
    includeArtifacts: parameter(request, 'includeArtifacts') === 'true',
  };
}

/** A2A 3.1.4: these fields are always present. */
function toList(response: ListTasksResponse, includeArtifacts: boolean): object {
  const artifacts = includeArtifacts ? { artifacts: [] } : {};
  const tasks = response.tasks.map((task) => Object.assign({ ...artifacts }, Task.toJSON(task)));
  const empty = { nextPageToken: '', pageSize: 0, totalSize: 0 };
  return { ...Object.assign(empty, ListTasksResponse.toJSON(response)), tasks };
}

const jsonOnly: RequestHandler = (request, response, next) => {
  response.setHeader('content-type', 'application/a2a+json');
  const given = request.get('content-type');
  const type = given?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined || type === '' || type === 'application/json' || type === 'application/a2a+json')
    return next();
  const why = `Unsupported Content-Type "${given}"; expected application/json or application/a2a+json.`;
  const { status, body } = notation.toError(new ContentTypeNotSupportedError(why));
  response.status(status).json(body);
};
