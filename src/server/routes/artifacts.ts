import { Router } from 'express';
import { AppError } from '../../domain/errors.js';
import { principalOf } from '../guards/admission.js';
import { taskOf, toWireArtifact } from '../task-view.js';
import type { TasksFor } from './tasks-routes.js';

/** What a task made: a list, and each as a download. */
export function artifactRoutes(tasksFor: TasksFor): Router {
  const router = Router();

  router.get('/tasks/:taskId/artifacts', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const { id } = await taskOf(tasks, request.params.taskId);
    response.json({ artifacts: (await tasks.artifacts(id)).map((artifact) => toWireArtifact(id, artifact)) });
  });

  router.get('/tasks/:taskId/artifacts/*name', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const { id } = await taskOf(tasks, request.params.taskId);
    const name = request.params.name.join('/');
    const [entry, content] = await Promise.all([
      tasks.artifacts(id).then((entries) => entries.find((artifact) => artifact.name === name)),
      tasks.artifact(id, name),
    ]);
    if (!entry || !content) throw new AppError('not-found', `task "${id}" has no artifact "${name}"`);
    // The agent wrote it: a browser must store it, never show or run it.
    response.attachment(name.slice(name.lastIndexOf('/') + 1));
    response.setHeader('content-type', entry.mediaType);
    response.set({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
    response.end(content);
  });

  return router;
}
