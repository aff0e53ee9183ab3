import { check } from '../../dialects/shared/message.js';
import { principalOf } from '../guards/admission.js';
import { commandList, commandResult } from '../endpoint/answer-schemas.js';
import { requestOrigin } from '../endpoint/request-origin.js';
import { commandBody } from '../endpoint/task-requests.js';
import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';

/** Slash commands on a server of many tasks (seeds 002 and 003). */
export const commandRoutes: readonly Route<ServerContext>[] = [
  route({
    name: 'listCommands',
    method: 'GET',
    path: '/listCommands',
    scope: 'view',
    summary: 'List the slash commands',
    answer: { status: 200, meaning: 'the commands', json: commandList },
    async handle({ tasksFor }: ServerContext, request, response) {
      response.json({ commands: await tasksFor(principalOf(request)).commands() });
    },
  }),
  route({
    name: 'executeCommand',
    method: 'POST',
    path: '/executeCommand',
    scope: 'admin',
    summary: 'Run a slash command',
    body: commandBody,
    answer: { status: 200, meaning: 'what it printed', json: commandResult },
    async handle({ tasksFor }: ServerContext, request, response) {
      const { command, args, ...task } = check(commandBody, request.body, 'the body');
      const { text, data } = await tasksFor(principalOf(request)).runCommand({
        command: command.replace(/^\//, ''),
        args: typeof args === 'string' ? args.split(/\s+/).filter((arg) => arg !== '') : args,
        origin: requestOrigin(request),
        ...task,
      });
      response.json({ ...data, text });
    },
  }),
];
