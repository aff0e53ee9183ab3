import * as z from 'zod';
import { coderAgentEvent } from '../protocols/coder-agent/event-schemas.js';
import { eventSchemas } from '../protocols/endpoint/event-schemas.js';
import { executeEvent } from '../protocols/execute/event-schemas.js';
import { messageParams } from '../protocols/message.js';
import type { Api } from './api-documents.js';
import { after, body, events, failures, type Json, ok, schemaOf, taskId } from './api-parts.js';
import { commandBody, executeForms, messageStreamForms, newTaskBody, taskQuery } from './task-requests.js';

type Operation = { summary: string; parameters?: Json[]; requestBody?: Json; responses: Json };

const operation = ({ responses, ...rest }: Operation): Json => ({ ...rest, responses: { ...responses, ...failures } });

const card = {
  '/.well-known/agent-card.json': {
    get: operation({ summary: 'The A2A agent card', responses: { 200: ok('the card') } }),
  },
};

const rpc = {
  '/': {
    post: {
      summary: 'A2A JSON-RPC, v1.0 and v0.3, and commands/get, command/execute',
      responses: { 200: ok('a reply') },
    },
  },
};

const describeTask = {
  summary: 'State, history and open questions',
  parameters: [taskId],
  responses: { 200: ok('the task') },
};

/** What the live endpoint and a server of many tasks have in common. */
const turns = (): Json => ({
  '/tasks/{taskId}/cancel': {
    post: operation({ summary: 'Stop the running turn', parameters: [taskId], responses: { 202: ok('accepted') } }),
  },
  '/tasks/{taskId}/events/{seq}': {
    get: operation({
      summary: 'One event, whole: those above 1.25 MiB are cut where they are sent',
      parameters: [taskId, { ...taskId, name: 'seq' }],
      responses: { 200: ok('the event', schemaOf(z.union(Object.values(eventSchemas)))) },
    }),
  },
  '/tasks/{taskId}/messages/stream': {
    post: operation({
      summary: 'Send a prompt or an answer; its turn follows as server-sent events',
      parameters: [taskId, after],
      requestBody: body(messageParams),
      responses: { 200: events(z.union(Object.values(eventSchemas))) },
    }),
  },
});

const ids = { taskId: z.string(), contextId: z.string(), state: z.string() };

export const liveApi: Api = { title: 'Cosession: the live endpoint', paths: livePaths };
export const tasksApi: Api = { title: 'Cosession: the server', paths: tasksPaths };

function livePaths(): Json {
  return {
    ...card,
    '/tasks': {
      post: operation({
        summary: 'The one task: the session',
        responses: { 201: ok('its ids', schemaOf(z.object({ ...ids, sessionId: z.string() }))) },
      }),
    },
    '/tasks/{taskId}': { get: operation(describeTask) },
    ...turns(),
    ...rpc,
  };
}

function tasksPaths(): Json {
  return {
    ...card,
    '/tasks': {
      post: operation({
        summary: 'Create a task',
        requestBody: body(newTaskBody),
        responses: { 201: ok('its ids', schemaOf(z.object(ids))) },
      }),
      get: operation({
        summary: 'List tasks, newest first',
        parameters: pages(),
        responses: { 200: ok('a page of tasks') },
      }),
    },
    '/tasks/metadata': {
      get: operation({
        summary: 'Model and tools of all tasks',
        parameters: pages(),
        responses: { 200: ok('an array; x-next-page-token leads to the next page') },
      }),
    },
    '/tasks/{taskId}': {
      get: operation(describeTask),
      delete: operation({
        summary: 'End and forget a task',
        parameters: [taskId],
        responses: { 204: ok('forgotten') },
      }),
    },
    '/tasks/{taskId}/metadata': {
      get: operation({ summary: 'Model and tools', parameters: [taskId], responses: { 200: ok('the metadata') } }),
    },
    '/tasks/{taskId}/artifacts': {
      get: operation({ summary: 'What the task made', parameters: [taskId], responses: { 200: ok('the artifacts') } }),
    },
    '/tasks/{taskId}/artifacts/{name}': {
      get: operation({
        summary: 'Download an artifact; the name may have slashes',
        parameters: [taskId, { ...taskId, name: 'name' }],
        responses: { 200: { description: 'its content' } },
      }),
    },
    ...turns(),
    '/tasks/{taskId}/execute': {
      post: operation({
        summary: 'Send a prompt or an answer; its turn follows as named server-sent events',
        parameters: [taskId, after],
        requestBody: body(executeForms),
        responses: { 200: events(executeEvent) },
      }),
    },
    '/message/stream': {
      post: operation({
        summary: 'Send a prompt or an answer, to a new task if none is named; what follows comes as server-sent events',
        parameters: [after],
        requestBody: body(messageStreamForms),
        responses: { 200: events(coderAgentEvent) },
      }),
    },
    '/listCommands': { get: operation({ summary: 'Commands', responses: { 200: ok('the commands') } }) },
    '/executeCommand': {
      post: operation({
        summary: 'Run a command',
        requestBody: body(commandBody),
        responses: { 200: ok('what it gave') },
      }),
    },
    '/health': { get: operation({ summary: 'Is it alive?', responses: { 200: ok('figures') } }) },
    '/ready': { get: operation({ summary: 'Does it take work?', responses: { 200: ok('yes') } }) },
    '/metrics': { get: operation({ summary: 'Prometheus', responses: { 200: { description: 'text' } } }) },
    ...rpc,
  };
}

function pages(): Json[] {
  return Object.entries(taskQuery.shape).map(([name, schema]) => ({ name, in: 'query', schema: schemaOf(schema) }));
}
