import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Command } from '../../domain/command.js';

/** The command tree in the form of ACP: a flat list, where `memory show` is a name. */
export function toAvailableCommands(commands: readonly Command[], parents: readonly string[] = []): AvailableCommand[] {
  return commands.flatMap((command) => {
    const path = [...parents, command.name];
    const hint = argumentsHint(command);
    const own: AvailableCommand = {
      name: path.join(' '),
      description: command.description,
      ...(hint === '' ? {} : { input: { hint } }),
    };
    return [own, ...toAvailableCommands(command.subCommands, path)];
  });
}

export function argumentsHint(command: Command): string {
  return command.arguments.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`)).join(' ');
}

/** Whether a prompt is a slash command that the engine knows. Anything else is text, whatever it starts with. */
export function isSlashCommand(text: string, commands: readonly Command[]): boolean {
  const name = /^\/(\S+)/.exec(text)?.[1];
  return commands.some((command) => command.name === name);
}
