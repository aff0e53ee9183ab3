import type { Config } from '@google/gemini-cli-core';
import type { HeadlessCommands } from '../headless-options.js';
import type { Extension } from '../settings/extensions.js';
import { reservedNames } from './built-in.js';
import type { HeadlessCommand } from './command.js';
import { mcpPrompts } from './mcp-prompts.js';
import { commandRegistry } from './registry.js';
import { runShellTool } from './shell-tool.js';

export type SessionCommandOptions = {
  readonly customCommands: readonly HeadlessCommand[];
  readonly extensions: readonly Extension[];
};

/** The commands that a session's engine runs in a turn: ours, the user's, and those of its MCP servers. */
export function sessionCommands(options: SessionCommandOptions, opened?: Config): HeadlessCommands {
  const { customCommands, extensions } = options;
  const names = [...reservedNames, ...customCommands.map(({ name }) => name)];
  const registry = commandRegistry([...customCommands, ...(opened ? mcpPrompts(opened, names) : [])]);
  return {
    list: () => registry.list(),
    refusal: (line) => registry.refusalOf(line)?.message,
    async run(line, { core, config }, { usage, say, found, signal }) {
      // Each text gets its own line, because clients join the texts of a turn.
      const tell = (text: string): void => say(`${text}\n`);
      const runShell = (command: string): Promise<string> => runShellTool({ core, config, signal }, command);
      const context = { core, config, extensions, usage, say: tell, signal, runShell };
      const { text, data, prompt } = await registry.run(line, context);
      if (data) found(line.replace(/^\//, ''), data);
      if (prompt === undefined) tell(text);
      return prompt;
    },
  };
}
