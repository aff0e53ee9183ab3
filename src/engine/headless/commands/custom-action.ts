import { AppError } from '../../../domain/errors.js';
import type { Action, TaskContext } from './command.js';
import { fillTemplate, type Segment, type TemplateTools } from './prompt-template.js';

/** Fills in the prompt of a custom command and sends it to the model. */
export function customAction(name: string, template: readonly Segment[]): Action {
  return {
    needsTask: true,
    async run(context, { args = '' }) {
      const prompt = await fillTemplate(template, { name, args, tools: templateTools(name, context) });
      return { text: `/${name} is sent to the agent.`, prompt };
    },
  };
}

function templateTools(name: string, { core, config, say, runShell }: TaskContext): TemplateTools {
  return {
    escape: (args) => core.escapeShellArg(args, core.getShellConfiguration().shell),
    async readFile(path) {
      try {
        const parts = await core.readPathFromWorkspace(path, config);
        if (parts.length > 0) return parts.map((part) => core.partListUnionToString(part)).join('');
        say(`@{${path}} is left out: .gitignore or .geminiignore names it.`);
        return '';
      } catch (thrown) {
        say(`@{${path}} is not filled in: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        return undefined;
      }
    },
    runShell(command) {
      if (runShell) return runShell(command);
      throw new AppError('command-refused', `/${name} runs "${command}", and nobody could be asked to allow that here`);
    },
  };
}
