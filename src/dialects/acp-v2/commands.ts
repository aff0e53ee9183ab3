import type { AvailableCommand } from '@agentclientprotocol/sdk/experimental/v2';
import type { Command } from '../../domain/command.js';
import { argumentsHint } from '../acp/commands.js';

/** A name has no space in version 2: what a command can be followed by is its input. */
export function toAvailableCommandsV2(commands: readonly Command[]): AvailableCommand[] {
  return commands
    .filter(({ name }) => !/\s/.test(name))
    .map((command) => {
      const { name, description, subCommands } = command;
      const hint = subCommands.length > 0 ? subCommands.map((sub) => sub.name).join(' | ') : argumentsHint(command);
      return { type: 'command', name, description, ...(hint === '' ? {} : { input: { type: 'text', hint } }) };
    });
}
