import type { Usage } from '../../../domain/events.js';
import type { HeadlessCommands } from '../headless-engine.js';
import type { Extension } from '../settings/extensions.js';
import type { CommandRegistry } from './registry.js';
import { runShellTool } from './shell-tool.js';

export type SessionCommandOptions = {
  readonly registry: CommandRegistry;
  readonly extensions: readonly Extension[];
  /** Tokens of the session so far. */
  readonly usage: () => Usage;
};

/** The commands of one session, as its engine runs them in a turn. */
export function sessionCommands({ registry, extensions, usage }: SessionCommandOptions): HeadlessCommands {
  return {
    list: () => registry.list(),
    // The hub knows only the first word; what follows is checked when the command runs.
    refusal: (name) =>
      registry.list().some((command) => command.name === name) ? undefined : registry.refusalOf(name)?.message,
    async run(text, { core, config }, { say, signal }) {
      // Each on a line of its own: clients put the texts of a turn together.
      const tell = (line: string): void => say(`${line}\n`);
      const runShell = (command: string): Promise<string> => runShellTool({ core, config, signal }, command);
      const context = { core, config, extensions, usage: usage(), say: tell, signal, runShell };
      const { text: said, prompt } = await registry.run(text, context);
      if (prompt === undefined) tell(said);
      return prompt;
    },
  };
}
