import * as z from 'zod';
import { check } from '../../dialects/shared/message.js';
import { AppError } from '../../domain/errors.js';
import type { TargetCheck } from '../a2a/push/safe-target.js';
import { principalOf } from '../guards/admission.js';
import { type Route, route } from '../routes/route.js';
import type { Alerts } from './alerts.js';
import { type Subscriptions, subscriptionSchema } from './subscriptions.js';
import type { VapidKeys } from './vapid-keys.js';
import type { VisiblePages } from './visible-pages.js';

export type AlertContext = {
  readonly alerts: Alerts;
  readonly subscriptions: Subscriptions;
  readonly visible: VisiblePages;
  readonly keys: () => Promise<VapidKeys>;
  readonly targets: TargetCheck;
};

const newSubscription = z.object({ subscription: subscriptionSchema });
const known = z.object({ endpoint: z.string().max(2000) });
const tested = known.extend({ taskId: z.string().max(200).default('') });
const seen = z.object({
  page: z.string().max(64).describe('a random name of the tab'),
  isVisible: z.boolean(),
  taskId: z.string().max(200).optional().describe('the task that it shows; a list shows all'),
});

/** Alerts of the page (Web Push). */
export const alertRoutes: readonly Route<AlertContext>[] = [
  route({
    method: 'GET',
    path: '/ui/push',
    scope: 'view',
    name: 'getAlertKey',
    summary: 'The key that a browser subscribes to alerts with',
    answer: { status: 200, meaning: 'the key', json: z.object({ publicKey: z.string() }) },
    async handle({ keys }: AlertContext, _request, response) {
      response.json({ publicKey: (await keys()).publicKey });
    },
  }),
  route({
    method: 'POST',
    path: '/ui/push',
    scope: 'view',
    name: 'subscribeToAlerts',
    summary: 'Send alerts to this browser',
    body: newSubscription,
    answer: { status: 201, meaning: 'it gets alerts from now on', json: z.object({ isOn: z.literal(true) }) },
    async handle({ subscriptions, targets }: AlertContext, request, response) {
      const { subscription } = check(newSubscription, request.body, 'the body');
      await targets.resolve(subscription.endpoint);
      await subscriptions.add(subscription, principalOf(request));
      response.status(201).json({ isOn: true });
    },
  }),
  route({
    method: 'DELETE',
    path: '/ui/push',
    scope: 'view',
    name: 'unsubscribeFromAlerts',
    summary: 'Send no more alerts to this browser',
    body: known,
    answer: { status: 204, meaning: 'it gets none' },
    async handle({ subscriptions }: AlertContext, request, response) {
      const { endpoint } = check(known, request.body, 'the body');
      const { id } = principalOf(request);
      const own = (await subscriptions.list()).find((one) => one.endpoint === endpoint && one.principal.id === id);
      if (own) await subscriptions.remove(endpoint);
      response.status(204).end();
    },
  }),
  route({
    method: 'POST',
    path: '/ui/push/test',
    scope: 'view',
    name: 'testAlerts',
    summary: 'Send an alert to this browser now',
    body: tested,
    answer: { status: 200, meaning: 'whether its push service took it', json: z.object({ isSent: z.boolean() }) },
    async handle({ alerts, subscriptions }: AlertContext, request, response) {
      const { endpoint, taskId } = check(tested, request.body, 'the body');
      const { id } = principalOf(request);
      const found = (await subscriptions.list()).find((one) => one.endpoint === endpoint && one.principal.id === id);
      if (!found) throw new AppError('not-found', 'this browser gets no alerts');
      response.json({ isSent: await alerts.test(found, taskId) });
    },
  }),
  route({
    method: 'POST',
    path: '/ui/visible',
    scope: 'view',
    name: 'reportVisibility',
    summary: 'Whether somebody can see the page: then there are no alerts',
    body: seen,
    answer: { status: 204, meaning: 'noted' },
    handle({ visible }: AlertContext, request, response) {
      const { page, isVisible, taskId } = check(seen, request.body, 'the body');
      visible.note(page, isVisible, { principal: principalOf(request), taskId });
      response.status(204).end();
    },
  }),
];
