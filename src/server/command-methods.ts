import { z } from 'zod';
import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import type { Origin } from '../domain/events.js';
import type { Wire } from '../protocols/development-tool/tool-call.js';
import { check } from '../protocols/message.js';
import type { Session } from '../session/session.js';

/** The RFC's `GetAllSlashCommandsResponse`. */
export function commandsOf(session: Session): Wire {
  return { commands: session.commands.map(toWireCommand) };
}

export const commandParams = z.object({
  command_path: z.array(z.string().regex(/^[^\s/]+$/, 'names of commands have no spaces')).min(1),
  args: z.string().default(''),
});

/** The RFC's `ExecuteSlashCommandResponse`; what the command prints follows as events of the turn `execution_id`. */
export function executeCommand(session: Session, params: unknown, origin: Origin): Wire {
  const { command_path, args } = check(commandParams, params, 'params');
  const text = `/${[...command_path, args].join(' ')}`.trim();
  try {
    const { turnId } = session.submit({ kind: 'command', text, origin });
    return { execution_id: turnId, status: 'STARTED', message: '' };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'command-refused') throw thrown;
    return { execution_id: '', status: 'FAILED_TO_START', message: thrown.message };
  }
}

function toWireCommand({ name, description, subCommands }: Command): Wire {
  return { name, description, arguments: [], sub_commands: subCommands.map(toWireCommand) };
}
