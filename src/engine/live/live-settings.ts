import type { Choice, Settable } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import { approvalModes } from '../gemini/approval-modes.js';
import { errorText } from '../gemini/error-text.js';
import type { CliConfig } from './cli-types.js';
import type { Terminal } from './terminal.js';

/** The names that the CLI's own `/model` uses. */
const models: readonly Choice[] = ['auto', 'pro', 'flash', 'flash-lite'].map((id) => ({ id, name: id }));

/** Model and approval mode of the running CLI. `onChange` is called after a change. */
export function liveSettings(terminal: Terminal, onChange: () => void): Settable {
  const change = (by: Origin, what: string, set: (config: CliConfig) => void): Promise<void> => {
    const { config } = terminal;
    if (!config) throw new AppError('not-ready', 'the Gemini CLI is still starting');
    try {
      set(config);
    } catch (error) {
      throw new AppError('bad-request', errorText(error), { cause: error });
    }
    // This also makes the CLI redraw, with the new setting.
    terminal.show('info', `[A2A] ${by.client ?? 'a client'} set the ${what}`);
    onChange();
    return Promise.resolve();
  };
  return {
    open: () => Promise.resolve(),
    choices: () => ({
      modes: terminal.config ? modesOf(terminal.config) : [],
      models: terminal.config?.setModel ? models : [],
    }),
    setMode: async (id, by) => change(by, `approval mode to ${id}`, (config) => config.setApprovalMode?.(id)),
    setModel: async (id, by) => change(by, `model to ${id}`, (config) => config.setModel?.(id, true)),
  };
}

/** Only the user at the terminal may let every tool run unasked. */
function modesOf(config: CliConfig): Choice[] {
  if (!config.setApprovalMode) return [];
  return [
    approvalModes.default,
    ...(config.isTrustedFolder() ? [approvalModes.autoEdit] : []),
    ...(config.isPlanEnabled?.() ? [approvalModes.plan] : []),
  ];
}
