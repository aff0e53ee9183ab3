import { Router } from 'express';
import { check } from '../../protocols/message.js';
import { originOf } from '../caller.js';
import { principalOf } from '../guards/admission.js';
import { commandBody } from '../task-requests.js';
import type { TasksFor } from './tasks-routes.js';

/** `GET /listCommands` and `POST /executeCommand` (seeds 002 and 003). */
export function commandRoutes(tasksFor: TasksFor): Router {
  const router = Router();

  router.get('/listCommands', async (request, response) => {
    response.json({ commands: await tasksFor(principalOf(request)).commands() });
  });

  router.post('/executeCommand', async (request, response) => {
    const { command, args, ...task } = check(commandBody, request.body, 'the body');
    const { text, data } = await tasksFor(principalOf(request)).runCommand({
      command: command.replace(/^\//, ''),
      args: typeof args === 'string' ? args.split(/\s+/).filter((arg) => arg !== '') : args,
      origin: originOf(request.get('user-agent'), principalOf(request)),
      ...task,
    });
    response.json({ ...data, text });
  });

  return router;
}
