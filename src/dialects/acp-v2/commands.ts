import type { AvailableCommand } from '@agentclientprotocol/sdk/experimental/v2';
import type { Command } from '../../domain/command.js';
import { argumentsHint } from '../acp/commands.js';

/** In version 2 a name has no spaces: sub-commands and arguments are the input of a command. */
export function toAvailableCommandsV2(commands: readonly Command[]): AvailableCommand[] {
  return commands
    .filter(({ name }) => !/\s/.test(name))
    .map((command) => {
      const { name, description, subCommands } = command;
      const hint = subCommands.length > 0 ? subCommands.map((sub) => sub.name).join(' | ') : argumentsHint(command);
      return { type: 'command', name, description, ...(hint === '' ? {} : { input: { type: 'text', hint } }) };
    });
}
