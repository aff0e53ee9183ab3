import { AppError } from '../../domain/errors.js';
import type { Session } from '../../session/session.js';
import type { Sessions } from '../../session/sessions.js';
import { originOf } from '../caller.js';
import type { Connection } from './connection.js';
import { commandsOf, executeCommand } from '../command-methods.js';

/** `commands/get` and `command/execute` of the RFC (3.3). */
export function isExtensionMethod(method: string): boolean {
  return method === 'commands/get' || method === 'command/execute';
}

export async function callExtensionMethod(
  method: string,
  params: unknown,
  sessions: Sessions,
  { client, principal }: Connection,
): Promise<unknown> {
  const session = await sessionFor(params, sessions);
  if (method === 'commands/get') return commandsOf(session);
  return executeCommand(session, params, originOf(client, principal));
}

/** Named by `contextId`, or the only one there is. */
async function sessionFor(params: unknown, sessions: Sessions): Promise<Session> {
  const named = typeof params === 'object' && params !== null && 'contextId' in params ? params.contextId : undefined;
  const [first, second] = sessions.all();
  const session = typeof named === 'string' ? await sessions.get(named) : second === undefined ? first : undefined;
  if (session) return session;
  throw new AppError(
    'bad-request',
    typeof named === 'string' ? `there is no context "${named}"` : 'contextId is needed here',
  );
}
