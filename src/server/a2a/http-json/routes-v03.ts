import { toLegacyHTTPError } from '@a2a-js/sdk/compat/v0_3/server';
import { restStatusFor } from '@a2a-js/sdk/errors';
import { type Request, Router } from 'express';
import {
  toCardV03,
  toResultV03,
  toTaskV03,
  toWebhooksV03,
  toWebhookV03,
} from '../../../dialects/a2a/rest-v03-answer.js';
import { readSendV03, readWebhookV03 } from '../../../dialects/a2a/rest-v03-request.js';
import { isLegacy } from '../calls/call-context.js';
import type { Operations } from '../operations/operations.js';
import { restForms } from '../streams/forms.js';
import { Exchange } from './exchange.js';
import { toHttpErrorV03 } from './http-error.js';
import { historyLengthIn, segment } from './query.js';

/** HTTP+JSON of v0.3, below `/v1`. */
export function routesV03(operations: Operations): Router {
  const router = Router();
  const { v03, v03Send } = restForms();
  const exchange = new Exchange(operations.card, {
    toResult: toResultV03,
    toError: (error) => ({ status: restStatusFor(error), body: toLegacyHTTPError(error) }),
    toFailure: toHttpErrorV03,
  });
  const idOf = (request: Request) => ({ tenant: '', id: segment(request, 'taskId') });
  const webhookOf = (request: Request) => ({
    tenant: '',
    taskId: segment(request, 'taskId'),
    id: segment(request, 'configId'),
  });
  const task = '/v1/tasks/:taskId';
  const subscribe = exchange.stream(v03, (request, caller) => operations.subscribe(idOf(request), caller));

  router.use((request, _response, next) => (isLegacy(request) ? next() : next('router')));
  router.get(
    '/v1/card',
    exchange.answer(200, async (_request, caller) => toCardV03(await operations.extendedCard(caller))),
  );
  router.post(
    '/v1/message\\:send',
    exchange.answer(201, async ({ body }, caller) =>
      toResultV03(await operations.sendMessage(readSendV03(body), caller)),
    ),
  );
  router.post(
    '/v1/message\\:stream',
    exchange.stream(v03Send, async ({ body }, caller) => operations.streamMessage(readSendV03(body), caller)),
  );
  router.post(
    `${task}\\:cancel`,
    exchange.answer(200, async (request, caller) =>
      toTaskV03(await operations.cancelTask({ ...idOf(request), metadata: {} }, caller)),
    ),
  );
  router.get(`${task}\\:subscribe`, subscribe).post(`${task}\\:subscribe`, subscribe);
  router.get(
    task,
    exchange.answer(200, async (request, caller) => {
      const historyLength = historyLengthIn(request, 'historyLength', 'history_length');
      return toTaskV03(await operations.getTask({ ...idOf(request), historyLength }, caller));
    }),
  );
  router.post(
    `${task}/pushNotificationConfigs`,
    exchange.answer(201, async ({ body }, caller) =>
      toWebhookV03(await operations.createWebhook(readWebhookV03(body), caller)),
    ),
  );
  router.get(
    `${task}/pushNotificationConfigs`,
    exchange.answer(200, async (request, caller) => {
      const params = { tenant: '', taskId: segment(request, 'taskId'), pageSize: 0, pageToken: '' };
      return toWebhooksV03((await operations.listWebhooks(params, caller)).configs);
    }),
  );
  router.get(
    `${task}/pushNotificationConfigs/:configId`,
    exchange.answer(200, async (request, caller) =>
      toWebhookV03(await operations.getWebhook(webhookOf(request), caller)),
    ),
  );
  router.delete(
    `${task}/pushNotificationConfigs/:configId`,
    exchange.answer(204, (request, caller) => operations.deleteWebhook(webhookOf(request), caller)),
  );
  return router;
}
