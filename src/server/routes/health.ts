import { AppError } from '../../domain/errors.js';
import { draining, health, ready } from '../endpoint/answer-schemas.js';
import { principalOf } from '../guards/admission.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';

/** For operators: whether the server is alive, whether it accepts work, and what it is doing. */
export const healthRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'getHealth',
    method: 'GET',
    path: '/health',
    scope: 'public',
    summary: 'Is it alive?',
    answer: { status: 200, meaning: 'figures', json: health },
    async handle({ tasks, taskCount, version }: ServerContext, _request, response) {
      const { running } = tasks.counts;
      const totalTasks = await taskCount();
      response.json({ status: 'healthy', uptime: process.uptime(), activeTasks: running, totalTasks, version });
    },
  }),
  route({
    name: 'getReady',
    method: 'GET',
    path: '/ready',
    scope: 'public',
    summary: 'Is it ready for work?',
    answer: { status: 200, meaning: 'yes', json: ready },
    async handle({ tasks }: ServerContext, _request, response) {
      await tasks.checkReady();
      response.json({ status: 'ready' });
    },
  }),
  route({
    name: 'drain',
    method: 'POST',
    path: '/drain',
    scope: 'admin',
    summary: 'Accept no more work, let running turns finish, and stop',
    answer: { status: 202, meaning: 'it has begun', json: draining },
    handle({ tasks, drain }: ServerContext, request, response) {
      if (!drain) throw new AppError('not-found', 'this server cannot be stopped by a request');
      const by = { principal: principalOf(request).id };
      response.once('close', () => drain(by));
      response.status(202).json({ status: 'draining', running: tasks.counts.running });
    },
  }),
  route({
    name: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    // Metrics cover everybody's work, but a program that collects them need not read any conversation.
    scope: 'metrics',
    summary: 'Figures for Prometheus',
    answer: { status: 200, meaning: 'text', mediaType: 'text/plain' },
    async handle({ metrics }: ServerContext, _request, response) {
      response.set('content-type', metrics.contentType).end(await metrics.text());
    },
  }),
];
