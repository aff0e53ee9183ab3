import type { AgentCard, AgentSkill } from '@a2a-js/sdk';
import type { Command } from '../../domain/command.js';
import { extensionUri } from '../development-tool/extension.js';
import { defined } from '../../util/defined.js';

/** Details of the agent that only a caller with the token may see. */
export type AgentDetails = {
  readonly commands: readonly Command[];
  readonly model: string;
  readonly workspace?: string;
};

/** The public card plus slash commands as skills, and the agent's workspace and model (A2A 3.1.11). Pure. */
export function extendedCard(card: AgentCard, { commands, model, workspace }: AgentDetails): AgentCard {
  const params = { model, ...defined({ workspace_path: workspace }) };
  const extensions = card.capabilities?.extensions.map((each) =>
    each.uri === extensionUri ? { ...each, params } : each,
  );
  return {
    ...card,
    capabilities: card.capabilities && { ...card.capabilities, extensions: extensions ?? [] },
    skills: [...card.skills, ...commands.flatMap((command) => skillsOf(command, []))],
    signatures: [],
  };
}

/** The skill of a command; a command with sub-commands is represented by those. */
function skillsOf({ name, description, subCommands }: Command, parents: readonly string[]): AgentSkill[] {
  const path = [...parents, name];
  if (subCommands.length > 0) return subCommands.flatMap((command) => skillsOf(command, path));
  const command = `/${path.join(' ')}`;
  return [
    {
      id: `command.${path.join('.')}`,
      name: command,
      description: `${description} (command/execute with command_path ${JSON.stringify(path)})`.trim(),
      tags: ['slash-command'],
      examples: [command],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ];
}
