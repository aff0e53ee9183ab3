import type { Choice } from '../../domain/choices.js';
import type { OpenedSession } from './agent-messages.js';

/** The mode or the model of an agent's session, with what else it could be. */
export type AgentSetting = {
  readonly current: string;
  readonly choices: readonly Choice[];
  /** The agent's id of it, when it is one of its config options. */
  readonly optionId?: string;
};

export type SettingKind = 'mode' | 'model';

/** What an agent tells of one setting: as a config option, or in the older way that is of its own for modes and models. */
export function readSetting(
  kind: SettingKind,
  { configOptions, modes, models }: Partial<OpenedSession>,
  known: AgentSetting | undefined,
): AgentSetting | undefined {
  const option = configOptions?.find(({ category }) => category === kind);
  if (option?.currentValue != null)
    return { current: option.currentValue, choices: option.options ?? known?.choices ?? [], optionId: option.id };
  const older = kind === 'mode' ? modes : models;
  return older ? { ...known, current: older.current, choices: older.choices ?? known?.choices ?? [] } : known;
}

/**
 * Modes in which an agent changes nothing without asking, by the ids that Claude, Codex, Gemini, goose, opencode and Qwen
 * have for them. What is not listed may run tools unasked.
 */
const askingModes: readonly string[] = ['default', 'plan', 'ask', 'approve', 'chat', 'read-only', 'dontAsk'];

export function isAskingMode(id: string): boolean {
  return askingModes.includes(id);
}
