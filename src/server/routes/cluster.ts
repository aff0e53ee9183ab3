import { AppError } from '../../domain/errors.js';
import { clusterStatus } from '../endpoint/answer-schemas.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';

/** For operators: which servers work as one. */
export const clusterRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'getCluster',
    method: 'GET',
    path: '/cluster',
    scope: 'admin',
    summary: 'The servers of the cluster, and what each one is doing',
    answer: { status: 200, meaning: 'the servers', json: clusterStatus },
    async handle({ clusterStatus: status }: ServerContext, _request, response) {
      if (!status)
        throw new AppError('not-found', 'this server belongs to no cluster: it was started without --cluster');
      response.json(await status());
    },
  }),
];
