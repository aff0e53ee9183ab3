import type { Config } from '@google/gemini-cli-core';
import { AppError } from '../../../domain/errors.js';
import { sanitize } from '../../../util/text/sanitize.js';
import type { Action, Argument, HeadlessCommand } from './command.js';

type McpPrompt = ReturnType<ReturnType<Config['getPromptRegistry']>['getAllPrompts']>[number];
type McpMessage = Awaited<ReturnType<McpPrompt['invoke']>>['messages'][number];

/**
 * The prompts of a session's MCP servers as commands, in the Gemini CLI's form: `/name --key="value" …`, or only the
 * values in order. If the name is taken, the command is `/server.name`.
 */
export function mcpPrompts(config: Config, taken: readonly string[]): HeadlessCommand[] {
  const names = new Set(taken);
  return config
    .getPromptRegistry()
    .getAllPrompts()
    .map((prompt) => {
      const own = prompt.name.trim().replaceAll(/\s+/g, '-');
      const name = names.has(own) ? `${prompt.serverName}.${own}` : own;
      names.add(name);
      return {
        name,
        description: oneLine(prompt.description) || `Prompt of the MCP server ${prompt.serverName}`,
        arguments: (prompt.arguments ?? []).map(toArgument),
        takesNamed: true,
        subCommands: [],
        action: promptAction(name, prompt),
      };
    });
}

function toArgument({ name, description, required }: NonNullable<McpPrompt['arguments']>[number]): Argument {
  return { name, description: oneLine(description), isRequired: required ?? false };
}

function promptAction(name: string, { serverName, invoke }: McpPrompt): Action {
  return {
    needsTask: true,
    async run(_context, args) {
      const { messages } = await invoke({ ...args });
      const prompt = messages.flatMap(textOf).join('\n\n');
      if (prompt === '')
        throw new AppError('bad-request', `the MCP server ${serverName} returned no text for /${name}`);
      return { text: `/${name} is sent to the agent.`, prompt };
    },
  };
}

function textOf({ content }: McpMessage): string[] {
  if (content.type === 'text') return [content.text];
  return content.type === 'resource' && 'text' in content.resource ? [content.resource.text] : [];
}

/** A server's description of itself is shown to people. */
function oneLine(text = ''): string {
  return sanitize(text).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
