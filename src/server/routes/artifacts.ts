import { AppError } from '../../domain/errors.js';
import { principalOf } from '../guards/admission.js';
import { artifactList } from '../endpoint/answer-schemas.js';
import { taskOf, toArtifactView } from '../endpoint/task-view.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';

/** The artifacts of a task: a list, and each one as a download. */
export const artifactRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'listArtifacts',
    method: 'GET',
    path: '/tasks/:taskId/artifacts',
    scope: 'view',
    summary: 'List the artifacts of a task',
    answer: { status: 200, meaning: 'the artifacts', json: artifactList },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const { id } = await taskOf(tasks, request.params.taskId);
      response.json({ artifacts: (await tasks.artifacts(id)).map((artifact) => toArtifactView(id, artifact)) });
    },
  }),
  route({
    name: 'getArtifact',
    method: 'GET',
    path: '/tasks/:taskId/artifacts/*name',
    scope: 'view',
    summary: 'Download an artifact; the name may have slashes',
    answer: { status: 200, meaning: 'its content', mediaType: '*/*' },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const { id } = await taskOf(tasks, request.params.taskId);
      const name = request.params.name.join('/');
      const [entry, content] = await Promise.all([
        tasks.artifacts(id).then((entries) => entries.find((artifact) => artifact.name === name)),
        tasks.artifact(id, name),
      ]);
      if (!entry || !content) throw new AppError('not-found', `task "${id}" has no artifact "${name}"`);
      // The agent wrote this file, so a browser must save it and never show or run it.
      response.attachment(name.slice(name.lastIndexOf('/') + 1));
      response.setHeader('content-type', entry.mediaType);
      response.set({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-cache',
      });
      response.end(content);
    },
  }),
];
