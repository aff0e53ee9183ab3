import * as z from 'zod';
import { unknownTask } from '../../tasks/sessions.js';
import { check } from '../../dialects/shared/message.js';
import { principalOf } from '../guards/admission.js';
import { newTask, serverTask, taskMetadata, taskPage } from '../endpoint/answer-schemas.js';
import { describeTask } from '../endpoint/methods.js';
import { newTaskBody, taskQuery, toWishes } from '../endpoint/task-requests.js';
import { taskRow } from '../../dialects/endpoint/task-row-schema.js';
import { metadataOf, taskOf, toArtifactView, toTaskRow } from '../endpoint/task-view.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';
import { taskFacts } from './task-facts.js';

/** Create, list, describe and remove the tasks of a server (seeds 002 and 003). */
export const taskRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'createTask',
    method: 'POST',
    path: '/tasks',
    scope: 'prompt',
    summary: 'Create a task',
    body: newTaskBody,
    answer: { status: 201, meaning: 'its ids', json: newTask },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const { contextId, agentSettings } = check(newTaskBody, request.body, 'the body');
      const { id, state } = await tasks.open(contextId, { ...toWishes(agentSettings), owner: principalOf(request).id });
      const task = await taskOf(tasks, id);
      response.status(201).json({ taskId: id, contextId: task.contextId, state });
    },
  }),
  route({
    name: 'listTasks',
    method: 'GET',
    path: '/tasks',
    scope: 'view',
    summary: 'List tasks, newest first',
    query: taskQuery,
    answer: { status: 200, meaning: 'a page of tasks', json: taskPage },
    async handle({ tasksFor }: ServerContext, request, response) {
      const page = await tasksFor(principalOf(request)).list(check(taskQuery, request.query, 'the query'));
      response.json({ ...page, tasks: page.tasks.map(toTaskRow) });
    },
  }),
  // These two must come before the route of one task, which would read them as ids.
  route({
    name: 'followTasks',
    method: 'GET',
    path: '/tasks/events',
    scope: 'view',
    summary: 'Changes of the list, as they happen',
    answer: {
      status: 200,
      meaning:
        '`event: row` has a row of `GET /tasks`, new or changed; `event: removed` has the `id` of a deleted task',
      events: z.union([taskRow, z.object({ id: z.string() })]),
    },
    handle({ tasksFor, lists }: ServerContext, request, response) {
      const principal = principalOf(request);
      lists.open(tasksFor(principal), principal, response);
    },
  }),
  route({
    name: 'listMetadata',
    method: 'GET',
    path: '/tasks/metadata',
    scope: 'view',
    summary: 'Model and tools of all tasks',
    query: taskQuery,
    answer: {
      status: 200,
      meaning: 'an array; x-next-page-token leads to the next page',
      json: z.array(taskMetadata),
    },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const { tasks: found, nextPageToken } = await tasks.list(check(taskQuery, request.query, 'the query'));
      const metadata = found.map((task) => metadataOf(tasks, task));
      if (nextPageToken !== undefined) response.set('x-next-page-token', nextPageToken);
      response.json(await Promise.all(metadata));
    },
  }),
  route({
    ...taskFacts,
    answer: { status: 200, meaning: 'the task', json: serverTask },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const task = await taskOf(tasks, request.params.taskId);
      const session = await tasks.view(task.id);
      if (!session) throw unknownTask(task.id);
      const { metadata, ...described } = await describeTask(session);
      const artifacts = (await tasks.artifacts(task.id)).map((artifact) => toArtifactView(task.id, artifact));
      response.json({
        ...described,
        ...toTaskRow({ ...task, state: session.state }),
        metadata: { ...task.metadata, ...metadata },
        artifacts,
      });
    },
  }),
  route({
    name: 'deleteTask',
    method: 'DELETE',
    path: '/tasks/:taskId',
    scope: 'admin',
    summary: 'End and delete a task',
    answer: { status: 204, meaning: 'forgotten' },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      if (!(await tasks.remove(request.params.taskId))) throw unknownTask(request.params.taskId);
      response.status(204).end();
    },
  }),
  route({
    name: 'getMetadata',
    method: 'GET',
    path: '/tasks/:taskId/metadata',
    scope: 'view',
    summary: 'Model and tools',
    answer: { status: 200, meaning: 'the metadata', json: z.object({ metadata: taskMetadata }) },
    async handle({ tasksFor }: ServerContext, request, response) {
      const tasks = tasksFor(principalOf(request));
      const task = await taskOf(tasks, request.params.taskId);
      response.json({ metadata: await metadataOf(tasks, task) });
    },
  }),
];
