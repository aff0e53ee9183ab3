import * as z from 'zod';
import type { Command } from '../../domain/command.js';
import { AppError } from '../../domain/errors.js';
import { isTurnEnd, type Origin, type SessionEvent } from '../../domain/events.js';
import type { Wire } from '../../dialects/shared/wire.js';
import { check } from '../../dialects/shared/message.js';
import type { SessionPort } from '../../session/session-port.js';

/** The RFC's `GetAllSlashCommandsResponse`. */
export function toWireCommands(commands: readonly Command[]): Wire {
  return { commands: commands.map(toWireCommand) };
}

export const commandParams = z.object({
  command_path: z
    .array(z.string().regex(/^[^\s/]+$/, 'names of commands have no spaces'))
    .min(1)
    .describe('such as `["memory", "show"]`'),
  args: z.string().default('').describe('the rest of the line'),
});

/** The RFC's `ExecuteSlashCommandResponse`. The command's output follows as events of the turn `execution_id`. */
export async function executeCommand(session: SessionPort, params: unknown, origin: Origin): Promise<Wire> {
  const { command_path, args } = check(commandParams, params, 'params');
  const text = `/${[...command_path, args].join(' ')}`.trim();
  try {
    const before = session.seq;
    const { turnId, position } = await session.send({ kind: 'command', text, origin });
    const status = position > 0 ? 'STARTED' : await firstStatus(session, turnId, before);
    return { execution_id: turnId, status, message: '' };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'command-refused') throw thrown;
    return failedToStart(thrown.message);
  }
}

export function failedToStart(why: string): Wire {
  return { execution_id: '', status: 'FAILED_TO_START', message: why };
}

/** A command that asks a question does so immediately, before any output. After this much silence it counts as started. */
const askWithinMs = 2000;

const awaiting: Readonly<Record<string, string>> = {
  shell_expansion: 'AWAITING_SHELL_CONFIRMATION',
  command_confirmation: 'AWAITING_ACTION_CONFIRMATION',
};

function firstStatus(session: SessionPort, turnId: string, after: number): Promise<string> {
  return new Promise((resolve) => {
    const done = (status: string): void => {
      clearTimeout(timer);
      // The log may call back during replay, before `unsubscribe` is assigned.
      queueMicrotask(() => unsubscribe());
      resolve(status);
    };
    const timer = setTimeout(() => done('STARTED'), askWithinMs);
    const unsubscribe = session.subscribe((event) => {
      if (event.turnId !== turnId) return;
      const status = statusAt(event);
      if (status !== undefined) done(status);
    }, after);
  });
}

/** The status of the command after the event. Undefined if the event does not decide it. */
function statusAt(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'prompt':
      return undefined;
    case 'turn':
      return isTurnEnd(event.state) ? 'STARTED' : undefined;
    case 'tool':
      return event.call.status === 'waiting' ? (awaiting[event.call.name] ?? 'STARTED') : undefined;
    default:
      return 'STARTED';
  }
}

function toWireCommand({ name, description, arguments: given, subCommands }: Command): Wire {
  const args = given.map(({ isRequired, ...rest }) => ({ ...rest, is_required: isRequired }));
  return { name, description, arguments: args, sub_commands: subCommands.map(toWireCommand) };
}
