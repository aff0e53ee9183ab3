import * as z from 'zod';
import { AppError } from '../../../domain/errors.js';
import { check } from '../../../dialects/shared/message.js';
import type { SessionPort } from '../../../session/session-port.js';
import type { Sessions } from '../../../tasks/sessions.js';
import { originOf } from '../../http/caller.js';
import { commandParams, executeCommand, failedToStart, toWireCommands } from '../../endpoint/command-methods.js';
import type { Caller } from '../calls/caller.js';

/** `commands/get` and `command/execute` of the RFC (3.3). */
export function isExtensionMethod(method: string): boolean {
  return method === 'commands/get' || method === 'command/execute';
}

/** The RFC has no context here, but a client that works in one may name it. */
const contextParams = z.object({ contextId: z.string().min(1).nullish() });

export async function callExtensionMethod(
  method: string,
  params: unknown,
  sessions: Sessions,
  { client, principal }: Caller,
): Promise<unknown> {
  const { contextId } = check(contextParams, params, 'params');
  const session = typeof contextId === 'string' ? await sessionNamed(contextId, sessions) : sessions.shared;
  if (method === 'commands/get') return toWireCommands(session ? session.commands : await sessions.commands());
  const origin = originOf(client, principal);
  if (session) return executeCommand(session, params, origin);
  const [word = ''] = check(commandParams, params, 'params').command_path;
  const known = (await sessions.commands()).map(({ name }) => name);
  // Checked before a context is opened for nothing.
  if (!known.includes(word)) return failedToStart(`there is no command /${word}; choose one of ${known.join(', ')}`);
  return executeCommand(await sessions.open(undefined, { owner: principal.id }), params, origin);
}

async function sessionNamed(contextId: string, sessions: Sessions): Promise<SessionPort> {
  const session = await sessions.get(contextId);
  if (session) return session;
  throw new AppError('bad-request', `there is no context "${contextId}"`);
}
