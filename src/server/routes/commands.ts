import { Router } from 'express';
import { check } from '../../protocols/message.js';
import type { ServerTasks } from '../../session/server-tasks.js';
import { commandBody } from '../task-requests.js';

/** `GET /listCommands` and `POST /executeCommand` (seeds 002 and 003). */
export function commandRoutes(tasks: ServerTasks): Router {
  const router = Router();

  router.get('/listCommands', async (_request, response) => {
    response.json({ commands: await tasks.commands() });
  });

  router.post('/executeCommand', async (request, response) => {
    const { command, args, ...task } = check(commandBody, request.body, 'the body');
    const { text, data } = await tasks.runCommand({
      command: command.replace(/^\//, ''),
      args: typeof args === 'string' ? args.split(/\s+/).filter((arg) => arg !== '') : args,
      ...task,
    });
    response.json({ ...data, text });
  });

  return router;
}
