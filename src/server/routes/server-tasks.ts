import { type Request, Router } from 'express';
import { check } from '../../protocols/message.js';
import { principalOf } from '../guards/admission.js';
import { describeTask } from '../methods.js';
import { newTaskBody, taskQuery, toWishes } from '../task-requests.js';
import type { TasksFor } from './tasks-routes.js';
import { metadataOf, taskOf, toSummary, toWireArtifact, unknownTask } from '../task-view.js';

/** Tasks of a server: created, listed, described, removed (seeds 002 and 003). */
export function serverTaskRoutes(tasksFor: TasksFor): Router {
  const router = Router();

  router.post('/tasks', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const { contextId, agentSettings } = check(newTaskBody, request.body, 'the body');
    const { id, state } = await tasks.open(contextId, { ...toWishes(agentSettings), owner: principalOf(request).id });
    const task = await taskOf(tasks, id);
    response.status(201).json({ taskId: id, contextId: task.contextId, state });
  });

  router.get('/tasks', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const page = await tasks.list(queryOf(request));
    response.json({ ...page, tasks: page.tasks.map(toSummary) });
  });

  router.get('/tasks/metadata', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const { tasks: found, nextPageToken } = await tasks.list(queryOf(request));
    const loaded = new Set([...tasks.all()].map(({ id }) => id));
    const metadata = found.map((task) => metadataOf(tasks, task, loaded.has(task.id)));
    if (nextPageToken !== undefined) response.set('x-next-page-token', nextPageToken);
    response.json(await Promise.all(metadata));
  });

  router.get('/tasks/:taskId/metadata', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const task = await taskOf(tasks, request.params.taskId);
    const isLoaded = [...tasks.all()].some(({ id }) => id === task.id);
    response.json({ metadata: await metadataOf(tasks, task, isLoaded) });
  });

  router.get('/tasks/:taskId', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    const task = await taskOf(tasks, request.params.taskId);
    const session = await tasks.view(task.id);
    if (!session) throw unknownTask(task.id);
    const { metadata, ...described } = await describeTask(session);
    const artifacts = (await tasks.artifacts(task.id)).map((artifact) => toWireArtifact(task.id, artifact));
    response.json({
      ...described,
      ...toSummary({ ...task, state: session.state }),
      metadata: { ...task.metadata, ...metadata },
      artifacts,
    });
  });

  router.delete('/tasks/:taskId', async (request, response) => {
    const tasks = tasksFor(principalOf(request));
    if (!(await tasks.remove(request.params.taskId))) throw unknownTask(request.params.taskId);
    response.status(204).end();
  });

  return router;
}

function queryOf({ query }: Request) {
  return check(taskQuery, query, 'the query');
}
